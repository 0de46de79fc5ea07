package golden

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"testing"
)

// A comparison that overlooks something would let the compiler drift. So each value of a golden is changed in turn, and the change
// must be found, unless it is of what is not compared.
func TestEveryValueIsCompared(t *testing.T) {
	files := goldenFiles(t)
	for _, name := range []string{"batch_keyed_never_chains_up", "error_parallelism_over_max"} {
		spec, err := fs.ReadFile(files, "cases/open/"+name+".json")
		if err != nil {
			t.Log("this folder has no ", name)
			continue
		}
		result, err := compile(spec)
		if err != nil {
			t.Fatal(err)
		}
		want, err := fs.ReadFile(files, "golden/open/"+name+".json")
		if err != nil {
			t.Fatal(err)
		}
		golden, err := values(want)
		if err != nil {
			t.Fatal(err)
		}
		changeEach(name, golden, func(path string) {
			changed, err := json.Marshal(golden)
			if err != nil {
				t.Fatal(err)
			}
			diff, err := Difference(changed, result)
			if err != nil {
				t.Fatal(err)
			}
			if found, compared := diff != "", !notCompared(path); found != compared {
				t.Errorf("%s changed: found %v, compared %v %s", path, found, compared, diff)
			}
		})
	}
}

func notCompared(path string) bool {
	for _, part := range []string{".operatorFactory", ".error.class", ".error.message", ".error.rootClass", ".error.rootMessage"} {
		if strings.HasSuffix(path, part) {
			return true
		}
	}
	return false
}

// changeEach changes every value below v, one at a time, and calls f while it is changed.
func changeEach(path string, v any, f func(path string)) {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			at := path + "." + k
			changeEach(at, v[k], f)
			old := v[k]
			v[k] = other(old)
			f(at)
			v[k] = old
		}
	case []any:
		for i := range v {
			changeEach(fmt.Sprintf("%s[%d]", path, i), v[i], f)
		}
	}
}

// other is another value of the same kind.
func other(v any) any {
	switch v := v.(type) {
	case string:
		return v + "!"
	case bool:
		return !v
	case json.Number:
		return json.Number("7" + strings.TrimPrefix(string(v), "-"))
	case nil:
		return "something"
	case []any:
		return append([]any{"one more"}, v...)
	}
	return map[string]any{"another": true}
}
