package config

import (
	"fmt"
	"strings"
)

// A Key is one setting. Names are Flink's where the meaning is.
type Key struct {
	Name   string
	Scope  Scope
	Kind   Kind
	Option string // of flott.New that makes the same setting; "": none does
	// Default is the value when nothing is set, or words; none: there is no value.
	Default   string
	OnCluster string // the default for JobManager and TaskManagers, where that is another one
	Meaning   string // Markdown, for the documentation
}

// A Scope says who reads a key.
type Scope uint8

// A key may be of interest to several.
const (
	Program Scope = 1 << iota // a program, embedded or where it submits its jobs
	Cluster                   // JobManager, TaskManagers, and the commands that speak with them
	Both    = Program | Cluster
)

// Keys are all settings that there are.
var Keys = []Key{
	{"parallelism.default", Program, Number, "Parallelism", "GOMAXPROCS; 1 for a plan and on a cluster", "", "subtasks of an operator that chooses none"},
	{"pipeline.max-parallelism", Program, Number, "MaxParallelism", "by parallelism, at least 128", "", "key groups, and the largest parallelism an operator can ever have"},
	{"pipeline.operator-chaining.enabled", Program, Truth, "DisableChaining", "true", "", "operators may be joined into one task"},
	{"execution.buffer-timeout.interval", Program, Duration, "BufferTimeout", "100 ms", "", "the longest that a record waits for its block to fill; negative: only full blocks are sent"},
	{"execution.flush-gap", Program, Duration, "FlushGap", "0 ms", "", "the shortest time between two flushes of a task that has nothing else to do"},
	{"state.backend.type", Program, OneOf("hashmap"), "HeapState", "hashmap", "", "where keyed state is: on the heap"},
	{"rest.port", Both, Port, "Page", "none", "8081", "[the page](page.md) and [Flink's REST API](rest.md): of an embedded job, which serves them on this port of 127.0.0.1 while it runs, and of the JobManager; 0: any that is free, which the log names"},
	{"diagnosis.patience", Both, Patience, "", "1 min", "", "how long a task may have work and do none of it before its job is said to [make no progress](diagnosis.md)"},
	{"web.read-only", Both, Truth, "", "false", "", "the page has no buttons, and what a browser asks to change is refused; command lines go on as before"},
	{"rest.address", Cluster, Text, "", "127.0.0.1", "", "the host by which others reach the JobManager's REST API; TaskManagers get executables there"},
	{"rest.bind-address", Cluster, Text, "", "127.0.0.1", "", "where the JobManager's REST API listens"},
	{"jobmanager.rpc.address", Cluster, Text, "", "127.0.0.1", "", "the host by which TaskManagers reach the JobManager"},
	{"jobmanager.rpc.port", Cluster, Port, "", "6123", "", "the JobManager's port for TaskManagers and workers; 0: any that is free"},
	{"jobmanager.bind-host", Cluster, Text, "", "127.0.0.1", "", "where the JobManager listens for them"},
	{"jobmanager.archive.fs.dir", Cluster, Text, "", "none", "", "a folder that keeps the jobs that are over, so that they can be seen after the JobManager was started again"},
	{"historyserver.archive.retained-jobs", Cluster, Count, "", "1000", "", "how many jobs the archive keeps; the oldest are deleted"},
	{"jobstore.max-capacity", Cluster, Count, "", "1000", "", "how many jobs that are over the JobManager knows; of older ones only the archive does"},
	{"jobstore.expiration-time", Cluster, Duration, "", "1 h", "", "how long it knows a job that is over"},
	{"slot.request.timeout", Cluster, Duration, "", "5 min", "", "how long a job waits for the slots that it lacks"},
	{"taskmanager.numberOfTaskSlots", Cluster, Count, "", "1", "", "slots of a TaskManager"},
	{"taskmanager.memory.process.size", Cluster, Bytes, "", "none", "", "what all workers of a TaskManager may use together, such as `4g`; each slot has an equal part. Without it: three quarters of the machine's"},
	{"taskmanager.cgroup", Cluster, Text, "", "none", "", "folder of a control group (version 1 or 2) that this user may change, with the controller of memory and without processes: each worker gets a group in it, whose limit is exact. Without it: RLIMIT_DATA limits workers"},
	{"taskmanager.host", Cluster, Text, "", "none", "", "the host by which workers of other TaskManagers reach those of this one. Without it: the machine's name, or `taskmanager.bind-host` where that is this machine only"},
	{"taskmanager.bind-host", Cluster, Text, "", "127.0.0.1", "", "where its workers listen for them"},
	{"blob.storage.size", Cluster, Bytes, "", "8 gb", "", "how much the executables may take that a process keeps; the oldest are deleted"},
	{"blob.storage.age", Cluster, Duration, "", "7 d", "", "executables that nobody has used for so long are deleted"},
	{"io.tmp.dirs", Cluster, Text, "", "none", "", "the folder below which the processes keep what need not outlive them. Without it: the system's for temporary files"},
	{"env.log.dir", Cluster, Text, "", "none", "", "the folder for log files. Without it: one in the folder of the process, below `io.tmp.dirs`"},
	{"security.token", Cluster, Text, "", "none", "", "a secret that all processes and clients of a cluster share"},
	{"security.tls.ca", Cluster, Text, "", "none", "", "PEM file with the certificate of the authority that all processes of the cluster trust"},
	{"security.tls.certificate", Cluster, Text, "", "none", "", "PEM file with the certificate of this process, for the names by which others reach it"},
	{"security.tls.key", Cluster, Text, "", "none", "", "PEM file with its private key"},
	{"restart-strategy.type", Both, OneOf(restartTypes...), "RestartNone", "none", "", "what happens after a failure: `none`, `fixed-delay`, `exponential-delay`, `failure-rate`. All `restart-strategy` keys of a cluster are for programs that choose no type"},
	{"restart-strategy.fixed-delay.attempts", Both, Number, "RestartFixed", "1", "", "how often the job starts again"},
	{"restart-strategy.fixed-delay.delay", Both, Duration, "RestartFixed", "1 s", "", "how long after a failure"},
	{"restart-strategy.exponential-delay.initial-backoff", Both, Duration, "RestartExponential", "1 s", "", "how long after the first failure the job starts again"},
	{"restart-strategy.exponential-delay.max-backoff", Both, Duration, "RestartExponential", "1 min", "", "the longest delay"},
	{"restart-strategy.exponential-delay.backoff-multiplier", Both, Factor, "", "1.5", "", "how much longer each delay is than the one before"},
	{"restart-strategy.exponential-delay.jitter-factor", Both, Factor, "", "0.1", "", "the part of the delay that is left to chance"},
	{"restart-strategy.exponential-delay.reset-backoff-threshold", Both, Duration, "", "1 h", "", "after so long without a failure the delay is as at first"},
	{"restart-strategy.exponential-delay.attempts-before-reset-backoff", Both, Number, "", "2147483647", "", "how often the job starts again before that"},
	{"restart-strategy.failure-rate.max-failures-per-interval", Both, Number, "RestartFailureRate", "1", "", "with more failures within the interval the job is over"},
	{"restart-strategy.failure-rate.failure-rate-interval", Both, Duration, "RestartFailureRate", "1 min", "", "the interval"},
	{"restart-strategy.failure-rate.delay", Both, Duration, "RestartFailureRate", "1 s", "", "how long after a failure the job starts again"},
}

// restartTypes are all names that Flink has for them.
var restartTypes = []string{
	"none", "off", "disable", "fixed-delay", "fixeddelay", "exponential-delay", "exponentialdelay", "failure-rate", "failurerate",
}

// Variable is the name of the key's environment variable: a.b-c is FLOTT_A_B_C.
func (k Key) Variable() string {
	return prefix + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(k.Name))
}

// secret says that values are not shown.
func (k Key) secret() bool { return k.Name == "security.token" }

// mask is Flink's.
const mask = "******"

// words is what the key's value is when nothing is set.
func (k Key) words() string {
	if k.OnCluster == "" {
		return k.Default
	}
	return k.Default + "; " + k.OnCluster + " on a cluster"
}

// fallback is its value on a cluster then; "": there is none.
func (k Key) fallback() string {
	switch {
	case k.OnCluster != "":
		return k.OnCluster
	case k.Default == "none":
		return ""
	}
	return k.Default
}

// Markdown is the table of the keys of a scope as the documentation has it.
func Markdown(of Scope) string {
	var b strings.Builder
	b.WriteString("| key | variable | option | default | meaning |\n| --- | --- | --- | --- | --- |\n")
	for _, k := range Keys {
		if k.Scope&of == 0 {
			continue
		}
		option := ""
		if k.Option != "" {
			option = "`" + k.Option + "`"
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s | %s |\n", k.Name, k.Variable(), option, k.words(), k.Meaning)
	}
	return b.String()
}
