package resttest

import (
	"compress/gzip"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Pack makes the file of recordings out of folders with one file each. A recording that is in the first folder is taken from there.
// It keeps what is compared, and no more than that of long texts.
func Pack(t testing.TB, file string, folders []string) {
	t.Helper()
	of := map[string]string{}
	for _, dir := range slices.Backward(folders) {
		files, err := filepath.Glob(filepath.Join(dir, "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			of[filepath.Base(name)] = name
		}
	}
	delete(of, "INDEX.json")
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	z, _ := gzip.NewWriterLevel(out, gzip.BestCompression) // the level exists
	for _, name := range slices.Sorted(maps.Keys(of)) {
		data, err := os.ReadFile(of[name])
		if err != nil {
			t.Fatal(err)
		}
		var r Recording
		if err := json.Unmarshal(data, &r); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		r.Request.Body, r.Response.Body = short(r.Request.Body), short(r.Response.Body)
		line, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := z.Write(append(line, '\n')); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}

// short cuts the texts in a document after their first line.
func short(data json.RawMessage) json.RawMessage {
	if len(data) == 0 {
		return data
	}
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return data
	}
	cut, err := json.Marshal(shortened(v))
	if err != nil {
		return data
	}
	return cut
}

func shortened(v any) any {
	switch v := v.(type) {
	case string:
		if strings.HasPrefix(v, "<Exception on server side:\n") {
			return strings.Join(strings.SplitN(v, "\n", 3)[:2], "\n")
		}
		line := firstLine(v)
		return line[:min(len(line), 400)]
	case []any:
		for i := range v {
			v[i] = shortened(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = shortened(v[k])
		}
	}
	return v
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
