package rest

import (
	"strings"
)

type configEntry struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	// Origin is where the value comes from; Flink does not say.
	Origin string `json:"origin,omitempty"`
}

func (c *call) config() ([]configEntry, error) {
	all := []configEntry{}
	for _, s := range c.server.source.Config() {
		all = append(all, configEntry(s))
	}
	return all, nil
}

func (c *call) jobManagerConfig() ([]configEntry, error) {
	if _, err := c.job(); err != nil {
		return nil, err
	}
	return c.config()
}

type environmentBody struct {
	JVM       jvm              `json:"jvm"`
	Classpath []string         `json:"classpath"`
	Flott     environmentFlott `json:"flott"`
}

// jvm is Flink's words for Go's runtime.
type jvm struct {
	Version string   `json:"version"`
	Arch    string   `json:"arch"`
	Options []string `json:"options"`
}

type environmentFlott struct {
	Version   string        `json:"version"`
	GoVersion string        `json:"goVersion"`
	Modules   []string      `json:"modules"`
	Variables []configEntry `json:"variables"`

	Pid         int   `json:"pid"`
	Started     int64 `json:"started"`
	CPUs        int   `json:"cpus"`       // of the machine
	MaxProcs    int   `json:"goMaxProcs"` // that Go uses
	MemoryLimit int64 `json:"goMemLimit"` // bytes; 0: none
}

func (c *call) environment() (environmentBody, error) {
	e, err := c.server.source.JobManager().Environment(c.Context())
	b := environmentBody{
		JVM:       jvm{e.GoVersion, e.Platform, append([]string{}, e.Args...)},
		Classpath: append([]string{}, e.Modules...),
		Flott: environmentFlott{
			e.Version, e.GoVersion, append([]string{}, e.Modules...), []configEntry{}, e.Pid, e.Started, e.CPUs, e.MaxProcs, e.MemoryLimit,
		},
	}
	for _, v := range e.Variables {
		b.Flott.Variables = append(b.Flott.Variables, configEntry(v))
	}
	return b, err
}

func (c *call) jobEnvironment() (environmentBody, error) {
	if _, err := c.job(); err != nil {
		return environmentBody{}, err
	}
	return c.environment()
}

type threadDump struct {
	Threads []threadInfo `json:"threadInfos"`
}

// threadInfo is a goroutine.
type threadInfo struct {
	Name string `json:"threadName"`
	Text string `json:"stringifiedThreadInfo"`
}

func (of whose) threads(c *call) (threadDump, error) {
	p, err := of(c)
	if err != nil {
		return threadDump{}, err
	}
	stacks, err := p.Goroutines(c.Context())
	return threadDump{goroutines(string(stacks))}, err
}

// goroutines is the stacks of a dump, one by one: blocks that start with `goroutine 7 [select]:`.
func goroutines(dump string) []threadInfo {
	all := []threadInfo{}
	for block := range strings.SplitSeq(strings.TrimSpace(dump), "\n\n") {
		head, _, _ := strings.Cut(block, "\n")
		if !strings.HasPrefix(head, "goroutine ") {
			continue
		}
		name, _, _ := strings.Cut(head, " [")
		all = append(all, threadInfo{name, block + "\n\n"})
	}
	return all
}
