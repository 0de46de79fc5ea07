package network

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/flott-dev/flott/internal/id"
)

// # Handshake
//
// Three messages of JSON, each with a length of 2 bytes before it. Nobody learns the secret from them, and each side proves that it
// knows it:
//
//	who dials                                who listens
//	hello: who, to whom, a nonce    -->
//	                                <--      a nonce, and a proof about both nonces; or a refusal, and the end
//	a proof about both nonces       -->
//
// From then on there are frames. A refusal is words for a log.
const (
	protocol    = "flott-data/1"
	mostMessage = 1 << 10
)

var (
	errSecret    = errors.New("the other side does not know the secret of this job")
	errHandshake = errors.New("what came is no handshake of a worker")
)

// A hello is what the one who dials says of himself, and of whom he expects.
type hello struct {
	Protocol string `json:"protocol"`
	Job      id.Job `json:"job"`
	From     string `json:"from"`
	To       string `json:"to"`
	Nonce    []byte `json:"nonce"`
}

// An answer is all that comes after it.
type answer struct {
	Refusal string `json:"refusal,omitempty"`
	Nonce   []byte `json:"nonce,omitempty"`
	Proof   []byte `json:"proof,omitempty"`
}

// introduce is the handshake of the one who dials.
func (e *Endpoint) introduce(c io.ReadWriter, to string) error {
	said, err := say(c, hello{protocol, e.options.Job, e.options.Worker, to, nonce()})
	if err != nil {
		return err
	}
	var a answer
	if _, err := hear(c, &a); err != nil {
		return err
	}
	if a.Refusal != "" {
		return fmt.Errorf("the worker refuses: %q", a.Refusal)
	}
	if !hmac.Equal(a.Proof, e.proof("listens", said, a.Nonce)) {
		return errSecret
	}
	_, err = say(c, answer{Proof: e.proof("dials", said, a.Nonce)})
	return err
}

// answer is the handshake of the one who listens. It returns who has dialed.
func (e *Endpoint) answer(c io.ReadWriter) (from string, err error) {
	var h hello
	said, err := hear(c, &h)
	if err != nil {
		return "", err
	}
	if why := e.objection(&h); why != nil {
		_, err := say(c, answer{Refusal: why.Error()})
		return "", errors.Join(why, err)
	}
	own := nonce()
	if _, err := say(c, answer{Nonce: own, Proof: e.proof("listens", said, own)}); err != nil {
		return "", err
	}
	var a answer
	if _, err := hear(c, &a); err != nil {
		return "", err
	}
	if !hmac.Equal(a.Proof, e.proof("dials", said, own)) {
		return "", errSecret
	}
	return h.From, nil
}

// objection is why a connection cannot be.
func (e *Endpoint) objection(h *hello) error {
	o := &e.options
	switch {
	case h.Protocol != protocol:
		return fmt.Errorf("it speaks %q, and this worker %q", h.Protocol, protocol)
	case h.Job != o.Job:
		return fmt.Errorf("it works for job %s, and this worker for job %s", h.Job, o.Job)
	case h.To != o.Worker:
		return fmt.Errorf("it looks for worker %q, and this is worker %q", h.To, o.Worker)
	case h.From >= o.Worker:
		return fmt.Errorf("worker %q must not dial %q, but wait", h.From, o.Worker)
	}
	return nil
}

func nonce() []byte {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // never fails
	return b
}

// proof is what nobody can say without the secret.
func (e *Endpoint) proof(who string, hello, nonce []byte) []byte {
	m := hmac.New(sha256.New, e.options.Secret)
	for _, part := range [][]byte{[]byte(who), hello, nonce} {
		_, _ = m.Write(binary.LittleEndian.AppendUint16(nil, uint16(len(part)))) // never fails
		_, _ = m.Write(part)
	}
	return m.Sum(nil)
}

// say sends a message and returns its bytes.
func say(w io.Writer, message any) (said []byte, err error) {
	said, err = json.Marshal(message)
	if err != nil {
		return nil, err
	}
	if len(said) > mostMessage {
		return nil, fmt.Errorf("a handshake of %d bytes", len(said))
	}
	_, err = w.Write(append(binary.LittleEndian.AppendUint16(nil, uint16(len(said))), said...))
	return said, err
}

// hear reads a message and returns its bytes.
func hear(r io.Reader, message any) (said []byte, err error) {
	var head [2]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint16(head[:])
	if n > mostMessage {
		return nil, errHandshake
	}
	said = make([]byte, n)
	if _, err := io.ReadFull(r, said); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(said, message); err != nil {
		return nil, fmt.Errorf("%w: %w", errHandshake, err)
	}
	return said, nil
}
