package rest

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
)

// Flink answers requests that take time with 202 and an id to ask about. Those that flott takes, and has nothing to do for, fail as
// soon as they are asked about.

// An operation is something that was triggered: for a job, or for the cluster ("").
type operation struct{ kind, job, trigger string }

// operations is the newest of them, in a ring.
type operations struct {
	mu struct {
		sync.Mutex
		known  map[operation]failureText
		oldest []operation
	}
}

// failureText is why an operation failed, as Java writes an exception: its class, a colon, and what it says; "": it did not.
type failureText string

// mostOperations bounds what is remembered.
const mostOperations = 1000

func newOperations() *operations {
	o := &operations{}
	o.mu.known = map[operation]failureText{}
	return o
}

// trigger notes an operation, which may be known already: then it is the same one.
func (o *operations) trigger(op operation, why failureText) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, ok := o.mu.known[op]; ok {
		return
	}
	o.mu.known[op] = why
	if o.mu.oldest = append(o.mu.oldest, op); len(o.mu.oldest) > mostOperations {
		delete(o.mu.known, o.mu.oldest[0])
		o.mu.oldest = o.mu.oldest[1:]
	}
}

func (o *operations) outcome(op operation) (why failureText, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	why, ok = o.mu.known[op]
	return why, ok
}

type triggered struct {
	RequestID string `json:"request-id"`
}

type operationBody struct {
	Status    operationStatus `json:"status"`
	Operation *outcome        `json:"operation"`
}

type outcome struct {
	Cause           *failureCause `json:"failure-cause,omitempty"`
	CheckpointCause *failureCause `json:"failureCause,omitempty"` // is what Flink calls that of a checkpoint
}

// A triggerID is an id that a client may choose, so that it can ask twice.
type triggerID string

// UnmarshalJSON takes 32 hexadecimal digits.
func (t *triggerID) UnmarshalJSON(data []byte) error {
	var s *string
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	if s == nil {
		return nil
	}
	if raw, err := hex.DecodeString(*s); err != nil || len(raw) != 16 {
		return fmt.Errorf("trigger id %q: not 32 hexadecimal digits", *s)
	}
	*t = triggerID(strings.ToLower(*s))
	return nil
}

func (t triggerID) orRandom() string {
	if t != "" {
		return string(t)
	}
	var raw [16]byte
	rand.Read(raw[:])
	return hex.EncodeToString(raw[:])
}

// start notes an operation and gives its id.
func (c *call) start(kind, job string, t triggerID, why failureText) triggered {
	op := operation{kind, job, t.orRandom()}
	c.server.operations.trigger(op, why)
	return triggered{op.trigger}
}

// poll says how an operation ended.
func (c *call) poll(kind string) (operationBody, error) {
	op := operation{kind, c.PathValue("jobid"), strings.ToLower(c.PathValue("triggerid"))}
	if raw, err := hex.DecodeString(op.trigger); err != nil || len(raw) != 16 {
		return operationBody{}, c.badPath("triggerid")
	}
	why, ok := c.server.operations.outcome(op)
	if !ok {
		return operationBody{}, refuse(http.StatusNotFound, "There is no %s operation with triggerId=%s for job %s.", kind, op.trigger, op.job)
	}
	done := operationBody{completed, &outcome{}}
	if why != "" {
		class, _, _ := strings.Cut(string(why), ":")
		done.Operation.Cause = causeOf(class, string(why))
	}
	return done, nil
}

// pollCheckpoint is poll for a checkpoint.
func (c *call) pollCheckpoint() (operationBody, error) {
	done, err := c.poll("checkpoint")
	if o := done.Operation; o != nil {
		o.CheckpointCause, o.Cause = o.Cause, nil
	}
	return done, err
}
