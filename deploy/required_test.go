package deploy

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// # Required fields
//
// Which fields an object must have, Kubernetes takes from the Go code of its types when it makes its schema: all whose tag lacks omitempty
// and whose comment lacks +optional. So does this test, from the code of the modules that it is built with.

// A schema says which fields of Go structs are optional by their comments, by package, type and field.
type schema map[string]map[string]map[string]bool

// of reads the code of a package, once.
func (s schema) of(t *testing.T, path string) map[string]map[string]bool {
	t.Helper()
	if s[path] != nil {
		return s[path]
	}
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", path).Output()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "*types.go"))
	if err != nil || len(files) == 0 {
		t.Fatal(path, files, err)
	}
	s[path] = map[string]map[string]bool{}
	for _, file := range files {
		code, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for n := range ast.Preorder(code) {
			if spec, ok := n.(*ast.TypeSpec); ok {
				if st, ok := spec.Type.(*ast.StructType); ok {
					s[path][spec.Name.Name] = optional(st)
				}
			}
		}
	}
	return s[path]
}

// optional is the fields of a struct whose comments say so.
func optional(s *ast.StructType) map[string]bool {
	all := map[string]bool{}
	for _, f := range s.Fields.List {
		for _, name := range f.Names {
			all[name.Name] = strings.Contains("\n"+f.Doc.Text(), "\n+optional")
		}
	}
	return all
}

// missing is the required fields that a document lacks, which is to be one of a type.
func (s schema) missing(t *testing.T, document any, typ reflect.Type, path string) (all []string) {
	t.Helper()
	if reflect.PointerTo(typ).Implements(reflect.TypeFor[json.Unmarshaler]()) { // a number, a text or the like
		return nil
	}
	switch typ.Kind() {
	case reflect.Pointer:
		return s.missing(t, document, typ.Elem(), path)
	case reflect.Slice:
		list, _ := document.([]any)
		for i, v := range list {
			all = append(all, s.missing(t, v, typ.Elem(), fmt.Sprintf("%s[%d]", path, i))...)
		}
	case reflect.Map:
		fields, _ := document.(map[string]any)
		for name, v := range fields {
			all = append(all, s.missing(t, v, typ.Elem(), path+"."+name)...)
		}
	case reflect.Struct:
		fields, _ := document.(map[string]any)
		for i := range typ.NumField() {
			all = append(all, s.missingOf(t, fields, typ, typ.Field(i), path)...)
		}
	}
	return all
}

// missingOf is about one field of a struct.
func (s schema) missingOf(t *testing.T, fields map[string]any, typ reflect.Type, f reflect.StructField, path string) []string {
	t.Helper()
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "" { // its fields are this one's
		return s.missing(t, fields, f.Type, path)
	}
	if v, there := fields[name]; there {
		return s.missing(t, v, f.Type, path+"."+name)
	}
	if strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero") || s.of(t, typ.PkgPath())[typ.Name()][f.Name] {
		return nil
	}
	return []string{path + "." + name}
}

// wanting is the required fields that a manifest lacks.
func wanting(t *testing.T, document string, object any) []string {
	t.Helper()
	var fields map[string]any
	if err := yaml.Unmarshal([]byte(document), &fields); err != nil {
		t.Fatal(err)
	}
	all := schema{}.missing(t, fields, reflect.TypeOf(object), "")
	slices.Sort(all)
	return all
}

func TestRequiredFieldsAreMissed(t *testing.T) {
	for kind, cases := range map[string]map[string]string{
		"apps/v1 Deployment": {
			"metadata: {}\nspec: {}": ".spec.selector .spec.template",
			"spec: {selector: {}, template: {spec: {containers: [{image: x, env: [{value: y}], volumeMounts: [{name: z}]}]}}}": ".spec.template.spec.containers[0].env[0].name .spec.template.spec.containers[0].name .spec.template.spec.containers[0].volumeMounts[0].mountPath",
		},
		"v1 Service":   {"spec: {ports: [{name: rest}]}": ".spec.ports[0].port"},
		"v1 ConfigMap": {"data: {a: b}": ""},
		"batch/v1 Job": {"spec: {template: {spec: {restartPolicy: Never}}}": ".spec.template.spec.containers"},
	} {
		for document, want := range cases {
			if got := strings.Join(wanting(t, document, kinds[kind]().object), " "); got != want {
				t.Errorf("%s, %s: missing %q, want %q", kind, document, got, want)
			}
		}
	}
}
