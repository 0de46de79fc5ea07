package deploy

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	apps "k8s.io/api/apps/v1"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/flott-dev/flott/internal/config"
)

// A manifest is one document of a file, with what the test looks at.
type manifest struct {
	object any
	pod    *core.PodTemplateSpec // that it makes; or nil
}

// kinds make the objects that manifests may be.
var kinds = map[string]func() manifest{
	"v1 ConfigMap": func() manifest { return manifest{&core.ConfigMap{}, nil} },
	"v1 Service":   func() manifest { return manifest{&core.Service{}, nil} },
	"apps/v1 Deployment": func() manifest {
		d := &apps.Deployment{}
		return manifest{d, &d.Spec.Template}
	},
	"apps/v1 StatefulSet": func() manifest {
		s := &apps.StatefulSet{}
		return manifest{s, &s.Spec.Template}
	},
	"batch/v1 Job": func() manifest {
		j := &batch.Job{}
		return manifest{j, &j.Spec.Template}
	},
}

// read takes no field that the schema does not have, none twice, and wants all that it requires.
func read(t *testing.T, file string) (all []manifest) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for document := range strings.SplitSeq(string(text), "\n---\n") {
		var head struct{ APIVersion, Kind string }
		if err := yaml.Unmarshal([]byte(document), &head); err != nil {
			t.Fatal(err)
		}
		make := kinds[head.APIVersion+" "+head.Kind]
		if make == nil {
			t.Fatalf("%s has a %s of %s", file, head.Kind, head.APIVersion)
		}
		m := make()
		if err := yaml.UnmarshalStrict([]byte(document), m.object); err != nil {
			t.Errorf("%s, %s: %v", file, head.Kind, err)
		}
		if missing := wanting(t, document, m.object); len(missing) > 0 {
			t.Errorf("%s, %s lacks %v", file, head.Kind, missing)
		}
		all = append(all, m)
	}
	return all
}

// Each manifest has the form of its kind, its settings are flott's, and its parts fit together.
func TestManifests(t *testing.T) {
	files, err := filepath.Glob("kubernetes/*.yaml")
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			all := read(t, file)
			for _, m := range all {
				if c, ok := m.object.(*core.ConfigMap); ok {
					checkSettings(t, c.Data)
				}
				if m.pod != nil {
					checkPod(t, m.pod)
					checkSelected(t, all, m)
				}
			}
		})
	}
}

// checkSettings wants the files of a ConfigMap to be configuration without a mistake.
func checkSettings(t *testing.T, files map[string]string) {
	t.Helper()
	text, ok := files[config.File]
	if !ok {
		t.Errorf("there is no %s", config.File)
	}
	file := filepath.Join(t.TempDir(), config.File)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := config.Read(file, nil)
	for _, err := range s.Mistakes {
		t.Error(err)
	}
	if len(s.Found) < 10 {
		t.Errorf("only %d settings are there", len(s.Found))
	}
}

// checkPod wants variables to be flott's, and volumes to be there that are mounted.
func checkPod(t *testing.T, pod *core.PodTemplateSpec) {
	t.Helper()
	for _, c := range pod.Spec.Containers {
		var environ []string
		for _, e := range c.Env {
			environ = append(environ, e.Name+"="+e.Value)
		}
		for _, err := range config.Read("", environ).Mistakes {
			t.Error(err)
		}
		for _, m := range c.VolumeMounts {
			if !slices.ContainsFunc(pod.Spec.Volumes, func(v core.Volume) bool { return v.Name == m.Name }) {
				t.Errorf("%s mounts %s, which is not there", c.Name, m.Name)
			}
		}
	}
}

// checkSelected wants a service for the pods.
func checkSelected(t *testing.T, all []manifest, m manifest) {
	t.Helper()
	for _, other := range all {
		if s, ok := other.object.(*core.Service); ok && selects(s.Spec.Selector, m.pod.Labels) {
			return
		}
	}
	t.Errorf("no service selects pods with the labels %v", m.pod.Labels)
}

func selects(selector, labels map[string]string) bool {
	for name, value := range selector {
		if labels[name] != value {
			return false
		}
	}
	return len(selector) > 0
}
