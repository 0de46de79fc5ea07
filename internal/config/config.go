// Package config has the one table of settings, and finds what is set where: in the file flott.yaml, then in FLOTT_* variables, then by
// flags of a command.
//
// It knows names, origins, and what a value must look like. What it does is known to those who use it.
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// File is read from the folder in which the program runs, if it is there.
const File = "flott.yaml"

const prefix = "FLOTT_"

// Reserved variables are no settings: they say in which role the program runs, and what it must know for that.
var Reserved = []string{
	"FLOTT_ROLE", "FLOTT_PLAN_GRAPH", "FLOTT_PLAN_FORMAT", "FLOTT_PLAN_EXPLAIN", "FLOTT_PLAN_OUT",
	"FLOTT_JOBMANAGER", "FLOTT_JOB_ID", "FLOTT_DETACHED", "FLOTT_RUN_ENV", "FLOTT_BINARY",
}

// ofWorkers is how the variables begin that a TaskManager sets for a worker. They are reserved, too.
const ofWorkers = prefix + "WORKER_"

// A Setting is one value that stands somewhere.
type Setting struct {
	Key    string
	Value  string
	Origin string // where it stands: flott.yaml:3, the environment variable FLOTT_A_B, the flag -D
}

// Settings are all that were found. Later ones win.
type Settings struct {
	Found    []Setting
	Mistakes []error // unknown keys, values that cannot be, and what is no configuration at all
}

// Read gathers what a file, which need not be there, and a process's environment set.
func Read(file string, environ []string) *Settings {
	s := &Settings{}
	s.readFile(file)
	s.readVariables(environ)
	return s
}

// Of is the setting that counts for a key; without one it is the key's default.
func (s *Settings) Of(k Key) Setting {
	for _, f := range slices.Backward(s.Found) {
		if f.Key == k.Name {
			return f
		}
	}
	return Setting{k.Name, k.words(), "default"}
}

// Shown is Of for people to look at: secrets are masked.
func (s *Settings) Shown(k Key) Setting {
	found := s.Of(k)
	if k.secret() && found.Origin != "default" {
		found.Value = mask
	}
	return found
}

// Set adds what stands at an origin, which wins over what was set before.
func (s *Settings) Set(origin, key, value string) {
	i := slices.IndexFunc(Keys, func(k Key) bool { return k.Name == key })
	if i < 0 {
		s.mistake("%s (%q) in %s is no setting; the nearest one is %s", key, value, origin, nearest(key, func(k Key) string { return k.Name }))
		return
	}
	s.found(Keys[i], value, origin)
}

// found notes a value, if it can be one.
func (s *Settings) found(k Key, value, origin string) {
	if err := k.Kind(value); err != nil {
		s.mistake("%s in %s: %w", k.Name, origin, err)
		return
	}
	s.Found = append(s.Found, Setting{k.Name, value, origin})
}

// Err is all that is wrong.
func (s *Settings) Err() error { return errors.Join(s.Mistakes...) }

func (s *Settings) mistake(format string, args ...any) {
	s.Mistakes = append(s.Mistakes, fmt.Errorf(format, args...))
}

func (s *Settings) readVariables(environ []string) {
	for _, e := range environ {
		name, value, _ := strings.Cut(e, "=")
		if !strings.HasPrefix(name, prefix) || slices.Contains(Reserved, name) || strings.HasPrefix(name, ofWorkers) || fromKubernetes(name, value) {
			continue
		}
		i := slices.IndexFunc(Keys, func(k Key) bool { return k.Variable() == name })
		if i < 0 {
			s.mistake("the environment variable %s (%q) stands for no setting; the nearest one is %s", name, value, nearest(name, Key.Variable))
			continue
		}
		s.found(Keys[i], value, "the environment variable "+name)
	}
}

// fromKubernetes says that a variable is one of those that Kubernetes sets in each pod for a service called flott or flott-something. Of a
// service flott-rest it would be FLOTT_REST_PORT, which is also a setting, but then with a number for its value.
func fromKubernetes(name, value string) bool {
	return strings.HasSuffix(name, "_SERVICE_HOST") || strings.HasSuffix(name, "_PORT") && (name == "FLOTT_PORT" || strings.Contains(value, "://")) ||
		strings.Contains(name, "_SERVICE_PORT") || strings.Contains(name, "_PORT_")
}

func (s *Settings) readFile(name string) {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	var doc yaml.Node
	if err == nil {
		err = yaml.Unmarshal(text, &doc)
	}
	if err != nil {
		s.mistake("%s cannot be read: %w", name, err)
		return
	}
	for _, root := range doc.Content {
		switch {
		case root.Kind == yaml.MappingNode:
			s.readNode(name, "", root, map[string]int{})
		case root.Tag != "!!null":
			s.mistake("%s:%d is no group of keys, as parallelism.default: 2 is", name, root.Line)
		}
	}
}

// readNode reads the settings below one place of the file. Keys may be nested or joined by dots: both are a.b.c. seen has the line
// of each key so far.
func (s *Settings) readNode(file, key string, n *yaml.Node, seen map[string]int) {
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i < len(n.Content); i += 2 {
			s.readNode(file, joined(key, n.Content[i].Value), n.Content[i+1], seen)
		}
	case yaml.ScalarNode:
		s.readScalar(key, n.Value, fmt.Sprintf("%s:%d", file, n.Line), seen, n.Line)
	default:
		s.mistake("%s in %s:%d is neither a value nor a group of keys", key, file, n.Line)
	}
}

func (s *Settings) readScalar(name, value, origin string, seen map[string]int, line int) {
	if seen[name] > 0 {
		s.mistake("%s in %s stands in line %d already", name, origin, seen[name])
	} else {
		s.Set(origin, name, value)
	}
	seen[name] = line
}

func joined(group, name string) string {
	if group == "" {
		return name
	}
	return group + "." + name
}
