package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/flott-dev/flott/internal/config"
	"github.com/flott-dev/flott/internal/control/cluster"
)

const clusterUsage = `flott cluster start [options]
       flott cluster stop [options]

"start" runs a JobManager and TaskManagers as background processes of this machine, and returns when they are ready. "stop" ends
those, and no others. There is one such cluster for a user and io.tmp.dirs; in the folder flott-UID/cluster there it has pid files and logs.
Of the options "stop" takes only -D and -config.`

// clusterCommand starts or stops a cluster on this machine.
func clusterCommand(ctx context.Context, args []string, stdout, _ io.Writer) error {
	what := ""
	if len(args) > 0 {
		what = args[0]
	}
	switch what {
	case "start":
		return startCluster(ctx, args[1:], stdout)
	case "stop":
		return stopCluster(args[1:], stdout)
	case "-h", "-help", "--help":
		return startCluster(ctx, []string{"-h"}, stdout) // which has all options
	}
	return fmt.Errorf("%w: flott cluster start|stop", errUsage)
}

// A clusterStart is the command line of "flott cluster start".
type clusterStart struct {
	settingFlags
	taskManagers int
	settings     *config.Settings
	crew         *crew
}

func startCluster(ctx context.Context, args []string, stdout io.Writer) (err error) {
	c := clusterStart{}
	help, err := parseFlags("cluster start", clusterUsage, args, stdout, func(f *flag.FlagSet) {
		c.add(f)
		c.short(f, "slots", "taskmanager.numberOfTaskSlots", "`number` of slots of each TaskManager")
		f.IntVar(&c.taskManagers, "taskmanagers", 1, "`number` of TaskManagers")
	})
	if help || err != nil {
		return err
	}
	if c.taskManagers < 0 {
		return fmt.Errorf("%w: --taskmanagers is %d", errUsage, c.taskManagers)
	}
	if c.settings, err = c.read(forCluster); err != nil {
		return err
	}
	if c.crew, err = openCrew(c.settings); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.crew.close()) }()
	return c.start(ctx, stdout)
}

// start starts all processes, or none.
func (c *clusterStart) start(ctx context.Context, stdout io.Writer) error {
	if running := c.crew.running(); len(running) > 0 {
		return fmt.Errorf("a cluster runs already: %v; end it by flott cluster stop", running[0])
	}
	err := c.startAll(ctx, stdout)
	if err != nil {
		for _, m := range c.crew.running() {
			err = errors.Join(err, m.end())
		}
		return err
	}
	fmt.Fprintf(stdout, "flott: logs are in %s\n", c.logs())
	return nil
}

// readyPorts finds the ports in the line that a JobManager prints.
var readyPorts = regexp.MustCompile(`REST \S+:(\d+), RPC \S+:(\d+)$`)

func (c *clusterStart) startAll(ctx context.Context, stdout io.Writer) error {
	jobManager, err := c.crew.launch("jobmanager", c.arguments("jobmanager"))
	if err != nil {
		return err
	}
	said, err := jobManager.ready(ctx, stdout)
	if err != nil {
		return err
	}
	ports := readyPorts.FindStringSubmatch(said)
	if ports == nil {
		return fmt.Errorf("the JobManager says %q", said)
	}
	var all []*launched // at the same time
	for i := range c.taskManagers {
		m, err := c.crew.launch("taskmanager-"+strconv.Itoa(i+1), c.taskManagerArguments(ports[1], ports[2]))
		if err != nil {
			return err
		}
		all = append(all, m)
	}
	for _, m := range all {
		if _, err := m.ready(ctx, stdout); err != nil {
			return err
		}
	}
	return nil
}

// arguments are those of one process: the settings that were given here.
func (c *clusterStart) arguments(command string) []string {
	all := []string{command}
	if c.file != "" {
		all = append(all, "--config", c.file)
	}
	for _, g := range c.given {
		all = append(all, "-D", g.key+"="+g.value)
	}
	return append(all, "-D", "env.log.dir="+c.logs())
}

// logs is the folder for log files.
func (c *clusterStart) logs() string {
	if logs := c.settings.Text("env.log.dir"); logs != "" {
		return logs
	}
	return filepath.Join(c.crew.folder, "log")
}

// taskManagerArguments say also which ports the JobManager has, which may have been free to choose, and share out the machine's memory.
func (c *clusterStart) taskManagerArguments(rest, rpc string) []string {
	all := append(c.arguments("taskmanager"), "-D", "rest.port="+rest, "-D", "jobmanager.rpc.port="+rpc)
	if c.settings.Text("taskmanager.memory.process.size") == "" && c.taskManagers > 1 {
		all = append(all, "-D", "taskmanager.memory.process.size="+strconv.FormatInt(cluster.WorkerMemory()/int64(c.taskManagers), 10))
	}
	return all
}

func stopCluster(args []string, stdout io.Writer) (err error) {
	var from settingFlags
	if help, err := parseFlags("cluster stop", clusterUsage, args, stdout, from.add); help || err != nil {
		return err
	}
	s, err := from.read(forCluster)
	if err != nil {
		return err
	}
	c, err := openCrew(s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	running := c.running()
	if len(running) == 0 {
		fmt.Fprintln(stdout, "flott: no cluster runs here that was started by flott cluster start")
	}
	var problems []error
	for _, m := range running {
		if err := m.end(); err != nil {
			problems = append(problems, err)
			continue
		}
		fmt.Fprintf(stdout, "flott: ended %v\n", m)
	}
	return errors.Join(problems...)
}
