package rest

import (
	"cmp"
	"io"
	"slices"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/id"
)

type managerList struct {
	Managers []managerRow `json:"taskmanagers"`
}

type managerRow struct {
	ID         string         `json:"id"`
	Path       string         `json:"path"`
	DataPort   int            `json:"dataPort"`
	JMXPort    int            `json:"jmxPort"` // Java's: none
	Heartbeat  int64          `json:"timeSinceLastHeartbeat"`
	Slots      int            `json:"slotsNumber"`
	FreeSlots  int            `json:"freeSlots"`
	Tasks      int            `json:"assignedTasks"`
	Total      resources      `json:"totalResource"`
	Free       resources      `json:"freeResource"`
	Hardware   hardware       `json:"hardware"`
	Memory     memory         `json:"memoryConfiguration"`
	FlottExtra *managerExtras `json:"flott,omitempty"`
}

// resources of a slot, or of several, in MiB. A worker has one memory for everything: it stands as task heap.
type resources struct {
	Cores    double            `json:"cpuCores"`
	TaskHeap int64             `json:"taskHeapMemory"`
	OffHeap  int64             `json:"taskOffHeapMemory"`
	Managed  int64             `json:"managedMemory"`
	Network  int64             `json:"networkMemory"`
	Extended map[string]double `json:"extendedResources"`
}

type hardware struct {
	Cores    int   `json:"cpuCores"`
	Physical int64 `json:"physicalMemory"`
	Free     int64 `json:"freeMemory"`
	Managed  int64 `json:"managedMemory"`
}

// memory is how Flink divides that of a TaskManager.
type memory struct {
	FrameworkHeap    int64 `json:"frameworkHeap"`
	TaskHeap         int64 `json:"taskHeap"`
	FrameworkOffHeap int64 `json:"frameworkOffHeap"`
	TaskOffHeap      int64 `json:"taskOffHeap"`
	Network          int64 `json:"networkMemory"`
	Managed          int64 `json:"managedMemory"`
	Metaspace        int64 `json:"jvmMetaspace"`
	Overhead         int64 `json:"jvmOverhead"`
	TotalFlink       int64 `json:"totalFlinkMemory"`
	TotalProcess     int64 `json:"totalProcessMemory"`
}

// managerExtras is what Flink's TaskManagers lack: what the process uses, and what each slot is for.
type managerExtras struct {
	Process processFigures `json:"process"`
	Slots   []slotFigures  `json:"slots"`
}

type processFigures struct {
	Pid        int    `json:"pid"`
	Resident   int64  `json:"rss"`
	Limit      int64  `json:"limit"`
	HeapUsed   int64  `json:"goHeap"`
	Goroutines int    `json:"goroutines"`
	CPU        double `json:"cpu"` // cores, lately
}

type slotFigures struct {
	Slot   int             `json:"slot"`
	Job    string          `json:"job,omitempty"`
	Tasks  int             `json:"tasks"`
	Worker *processFigures `json:"worker,omitempty"`
}

func (c *call) managers() (managerList, error) {
	managers, err := c.server.source.TaskManagers(c.Context())
	if err != nil {
		return managerList{}, err
	}
	tasks, err := c.tasks()
	all := managerList{[]managerRow{}}
	for _, t := range managers {
		all.Managers = append(all.Managers, managerRowOf(t, tasks))
	}
	return all, err
}

// A slotKey names a slot of a TaskManager.
type slotKey struct {
	manager string
	slot    int
}

// tasks is how many tasks run in each slot.
func (c *call) tasks() (map[slotKey]int, error) {
	jobs, err := c.server.source.Jobs(c.Context())
	all := map[slotKey]int{}
	for _, j := range jobs {
		for v := range j.Vertices {
			for _, a := range current(&j.Vertices[v]) {
				if a.TaskManager != "" && !a.State.Terminal() {
					all[slotKey{a.TaskManager, a.Slot}]++
				}
			}
		}
	}
	return all, err
}

func managerRowOf(t *view.TaskManager, tasks map[slotKey]int) managerRow {
	total := resourcesOf(t, len(t.Slots))
	r := managerRow{
		ID: t.ID, Path: t.Address, DataPort: cmp.Or(t.DataPort, noPort), JMXPort: -1, Heartbeat: t.Heartbeat,
		Slots: len(t.Slots), FreeSlots: t.Free(), Total: total, Free: resourcesOf(t, t.Free()),
		Hardware: hardware{t.Hardware.Cores, t.Hardware.Memory, t.Hardware.Free, 0},
		Memory:   memory{TaskHeap: t.Memory, TotalFlink: t.Memory, TotalProcess: t.Memory},
	}
	extras := &managerExtras{figures(t.Process), []slotFigures{}}
	for i := range t.Slots {
		slot := &t.Slots[i]
		s := slotFigures{Slot: i, Tasks: tasks[slotKey{t.ID, i}]}
		r.Tasks += s.Tasks
		if slot.Job != (id.Job{}) {
			worker := figures(slot.Worker)
			s.Job, s.Worker = slot.Job.String(), &worker
		}
		extras.Slots = append(extras.Slots, s)
	}
	r.FlottExtra = extras
	return r
}

func figures(f view.Figures) processFigures {
	return processFigures{f.Pid, f.Resident, f.Limit, f.HeapUsed, f.Goroutines, double(f.Load)}
}

func resourcesOf(t *view.TaskManager, slots int) resources {
	r := resources{Cores: double(slots), Extended: map[string]double{}}
	if n := len(t.Slots); n > 0 {
		r.TaskHeap = t.Memory / int64(n) * int64(slots) >> 20
	}
	return r
}

type managerDetails struct {
	managerRow
	Allocated []allocatedSlot `json:"allocatedSlots"`
	Metrics   managerFigures  `json:"metrics"`
}

type allocatedSlot struct {
	Job      string    `json:"jobId"`
	Resource resources `json:"resource"`
	Tasks    int       `json:"assignedTasks"`
}

// managerFigures is the memory of a JVM. Of Go there is the heap; the rest is 0.
type managerFigures struct {
	HeapUsed          int64       `json:"heapUsed"`
	HeapCommitted     int64       `json:"heapCommitted"`
	HeapMax           int64       `json:"heapMax"`
	NonHeapUsed       int64       `json:"nonHeapUsed"`
	NonHeapCommitted  int64       `json:"nonHeapCommitted"`
	NonHeapMax        int64       `json:"nonHeapMax"`
	DirectCount       int64       `json:"directCount"`
	DirectUsed        int64       `json:"directUsed"`
	DirectMax         int64       `json:"directMax"`
	MappedCount       int64       `json:"mappedCount"`
	MappedUsed        int64       `json:"mappedUsed"`
	MappedMax         int64       `json:"mappedMax"`
	SegmentsAvailable int64       `json:"nettyShuffleMemorySegmentsAvailable"`
	SegmentsUsed      int64       `json:"nettyShuffleMemorySegmentsUsed"`
	SegmentsTotal     int64       `json:"nettyShuffleMemorySegmentsTotal"`
	ShuffleAvailable  int64       `json:"nettyShuffleMemoryAvailable"`
	ShuffleUsed       int64       `json:"nettyShuffleMemoryUsed"`
	ShuffleTotal      int64       `json:"nettyShuffleMemoryTotal"`
	Collectors        []collector `json:"garbageCollectors"`
}

type collector struct {
	Name  string `json:"name"`
	Count int64  `json:"count"`
	Time  int64  `json:"time"`
}

// manager is the TaskManager in the path. An unknown one is 500.
func (c *call) manager() (*view.TaskManager, error) {
	managers, err := c.server.source.TaskManagers(c.Context())
	if err != nil {
		return nil, err
	}
	want := c.PathValue("taskmanagerid")
	if i := slices.IndexFunc(managers, func(t *view.TaskManager) bool { return t.ID == want }); i >= 0 {
		return managers[i], nil
	}
	return nil, unknownManager(want)
}

func unknownManager(id string) *failure {
	return internal("org.apache.flink.runtime.resourcemanager.exceptions.UnknownTaskExecutorException: No TaskExecutor registered under %s.", id)
}

func (c *call) managerDetails() (managerDetails, error) {
	t, err := c.manager()
	if err != nil {
		return managerDetails{}, err
	}
	tasks, err := c.tasks()
	if err != nil {
		return managerDetails{}, err
	}
	d := managerDetails{managerRow: managerRowOf(t, tasks), Allocated: []allocatedSlot{}}
	for i := range t.Slots {
		if s := &t.Slots[i]; s.Job != (id.Job{}) {
			d.Allocated = append(d.Allocated, allocatedSlot{s.Job.String(), resourcesOf(t, 1), tasks[slotKey{t.ID, i}]})
		}
	}
	f := t.Process
	d.Metrics = managerFigures{
		HeapUsed: f.HeapUsed, HeapCommitted: f.HeapCommitted, HeapMax: f.HeapMax,
		Collectors: []collector{{"All", f.Collections, f.CollectionTime.Milliseconds()}},
	}
	return d, nil
}

// managerProcess is the process of the TaskManager in the path.
func (c *call) managerProcess() (view.Process, error) {
	want := c.PathValue("taskmanagerid")
	p, err := c.server.source.TaskManager(want)
	if err != nil {
		return nil, unknownManager(want)
	}
	return p, nil
}

// jobManagerProcess is the process that answers.
func (c *call) jobManagerProcess() (view.Process, error) { return c.server.source.JobManager(), nil }

// A whose says whose process an endpoint is about.
type whose func(*call) (view.Process, error)

type logList struct {
	Logs []logFile `json:"logs"`
}

type logFile struct {
	Name     string `json:"name"`
	Size     int64  `json:"size"`
	Modified int64  `json:"mtime"`
}

func (of whose) logs(c *call) (logList, error) {
	p, err := of(c)
	if err != nil {
		return logList{}, err
	}
	files, err := p.Logs(c.Context())
	all := logList{[]logFile{}}
	for _, f := range files {
		all.Logs = append(all.Logs, logFile{f.Name, f.Size, f.Modified})
	}
	return all, err
}

func (of whose) log(c *call) (io.ReadCloser, error) {
	p, err := of(c)
	if err != nil {
		return nil, err
	}
	at, err := offsetOf(c.Header.Get("Log-Offset"))
	if err != nil {
		return nil, err
	}
	return p.Log(c.Context(), c.PathValue("filename"), at)
}

func (of whose) stdout(c *call) (io.ReadCloser, error) {
	p, err := of(c)
	if err != nil {
		return nil, err
	}
	return p.Stdout(c.Context())
}

type logURL struct {
	URL string `json:"url"`
}

func (c *call) jobManagerLogURL() (logURL, error) {
	_, err := c.job()
	return logURL{c.base() + "/#/job-manager/logs"}, err
}

func (c *call) managerLogURL() (logURL, error) {
	_, err := c.job()
	return logURL{c.base() + "/#/task-manager/" + c.PathValue("taskmanagerid") + "/logs"}, err
}

// base is this server's address, as the client has it.
func (c *call) base() string {
	if c.TLS != nil {
		return "https://" + c.Host
	}
	return "http://" + c.Host
}
