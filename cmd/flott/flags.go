package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/flott-dev/flott/internal/config"
)

// parseFlags reads the flags of a command that takes nothing else. If it is asked for help, it prints it, and says that this was all.
func parseFlags(name, usage string, args []string, stdout io.Writer, define func(*flag.FlagSet)) (help bool, err error) {
	arguments, help, err := parseLine(name, usage, args, stdout, define)
	if err == nil && len(arguments) > 0 {
		err = fmt.Errorf("%w: flott %s takes no arguments, only options", errUsage, name)
	}
	return help, err
}

// parseLine reads the flags of a command, and what stands before, between and behind them. With an error it is what stands before that.
func parseLine(name, usage string, args []string, stdout io.Writer, define func(*flag.FlagSet)) (arguments []string, help bool, err error) {
	f := flag.NewFlagSet("flott "+name, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	define(f)
	for {
		switch err := f.Parse(args); {
		case errors.Is(err, flag.ErrHelp):
			fmt.Fprintln(stdout, "usage: "+usage+"\n")
			f.SetOutput(stdout)
			f.PrintDefaults()
			return nil, true, nil
		case err != nil:
			return arguments, false, fmt.Errorf("%w: flott %s: %w", errUsage, name, err)
		case f.NArg() == 0:
			return arguments, false, nil
		}
		arguments, args = append(arguments, f.Arg(0)), f.Args()[1:]
	}
}

// settingFlags are the flags of commands that need settings.
type settingFlags struct {
	file  string
	given []setting // in the order of the command line
}

// A setting is made by a flag.
type setting struct{ flag, key, value string }

func (s *settingFlags) add(f *flag.FlagSet) {
	f.StringVar(&s.file, "config", "", "the `file` with settings (default: "+config.File+" in this folder, if it is there)")
	f.Func("D", "a setting, as `key=value`; may be given several times", func(text string) error {
		key, value, ok := strings.Cut(text, "=")
		if !ok {
			return errors.New("it must be key=value")
		}
		s.given = append(s.given, setting{"the flag -D", key, value})
		return nil
	})
}

// short adds a flag that stands for a setting.
func (s *settingFlags) short(f *flag.FlagSet, name, key, usage string) {
	f.Func(name, usage, func(value string) error {
		s.given = append(s.given, setting{"the flag --" + name, key, value})
		return nil
	})
}

// Who a command's settings may be for.
func forAnybody(config.Key) bool   { return true }
func forCluster(k config.Key) bool { return k.Scope&config.Cluster != 0 }
func forProgram(k config.Key) bool { return k.Scope&config.Program != 0 || forClient(k) }
func forClient(k config.Key) bool {
	return k.Name == "rest.address" || k.Name == "rest.port" || strings.HasPrefix(k.Name, "security.")
}

// useless is the error of flags that have no effect.
func (s *settingFlags) useless(useful func(config.Key) bool) error {
	var all []string
	for _, g := range s.given {
		i := slices.IndexFunc(config.Keys, func(k config.Key) bool { return k.Name == g.key })
		if i < 0 || useful(config.Keys[i]) {
			continue
		}
		whose := "the JobManager and TaskManagers"
		if !forCluster(config.Keys[i]) {
			whose = "programs"
		}
		all = append(all, fmt.Sprintf("%s in %s has no effect here: it is for %s", g.key, g.flag, whose))
	}
	if len(all) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %s", errUsage, strings.Join(all, "; "))
}

// read is all settings. What is wrong with them is in it; but a flag for a setting that the command has no use for is an error: it would
// have no effect, which nobody means who gives it here. In a file or the environment it may be for others.
func (s *settingFlags) read(useful func(config.Key) bool) (*config.Settings, error) {
	if err := s.useless(useful); err != nil {
		return nil, err
	}
	file := config.File
	if s.file != "" {
		file = s.file
		if _, err := os.Stat(file); err != nil {
			return nil, fmt.Errorf("%w: --config: %w", errUsage, err)
		}
	}
	read := config.Read(file, os.Environ())
	for _, g := range s.given {
		read.Set(g.flag, g.key, g.value)
	}
	return read, nil
}
