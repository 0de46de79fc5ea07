package rest

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// pack makes testdata/flink.jsonl.gz anew: go test -run TestReplay -pack DIR/rest-default,DIR/rest. A recording that is in the first
// folder is taken from there.
var pack = flag.String("pack", "", "folders with recordings of Flink, to pack")

const packed = "testdata/flink.jsonl.gz"

// A recording is a request to Flink and its answer.
type recording struct {
	Name    string `json:"name"`
	Request struct {
		Method  string            `json:"method"`
		Path    string            `json:"path"`
		Query   string            `json:"query"`
		Headers map[string]string `json:"headers"`
		Body    json.RawMessage   `json:"body"`
	} `json:"request"`
	Response struct {
		Status  int             `json:"status"`
		Headers [][2]string     `json:"headers"`
		Body    json.RawMessage `json:"body"`
	} `json:"response"`
}

func (r *recording) header(name string) string {
	for _, h := range r.Response.Headers {
		if h[0] == name {
			return h[1]
		}
	}
	return ""
}

func recordings(t *testing.T) (all []recording) {
	t.Helper()
	f, err := os.Open(packed)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r recording
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// packRecordings writes what is compared, and no more than that of long texts.
func packRecordings(t *testing.T, folders []string) {
	t.Helper()
	of := map[string]string{}
	for _, dir := range slices.Backward(folders) {
		files, err := filepath.Glob(filepath.Join(dir, "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			of[filepath.Base(file)] = file
		}
	}
	delete(of, "INDEX.json")
	out, err := os.Create(packed)
	if err != nil {
		t.Fatal(err)
	}
	z, _ := gzip.NewWriterLevel(out, gzip.BestCompression) // the level exists
	for _, name := range slices.Sorted(keysOf(of)) {
		data, err := os.ReadFile(of[name])
		if err != nil {
			t.Fatal(err)
		}
		var r recording
		if err := json.Unmarshal(data, &r); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		r.Request.Body, r.Response.Body = short(r.Request.Body), short(r.Response.Body)
		line, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		z.Write(append(line, '\n'))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}

func keysOf(m map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
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
