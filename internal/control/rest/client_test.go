package rest

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/flott-dev/flott/internal/control/view"
)

const blobPath = "/flott/blobs/" + "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

func TestBlobGoesUpInPieces(t *testing.T) {
	c := &client{}
	b := newBench(t, c, Options{})
	check := func(method, body, contentRange string, status int, offset string) {
		t.Helper()
		var header []string
		if contentRange != "" {
			header = []string{"Content-Range", contentRange}
		}
		a, text := b.ask(method, blobPath, body, header...)
		if a.StatusCode != status || a.Header.Get("Upload-Offset") != offset {
			t.Errorf("%s %s: %s, offset %q: %s", method, contentRange, a.Status, a.Header.Get("Upload-Offset"), text)
		}
	}
	check("HEAD", "", "", 404, "0")
	check("PUT", "0123", "bytes 0-3/10", 308, "4")
	check("HEAD", "", "", 404, "4")
	check("PUT", "789", "bytes 7-9/10", 400, "")
	check("PUT", "456789", "bytes 4-9/10", 201, "10")
	check("HEAD", "", "", 200, "10")
	for _, bad := range []string{"4-9/10", "bytes 4-9", "bytes 9-4/10", "bytes -1-4/10", "bytes 0-10/10", "bytes a-b/c", "bytes 0-9/99999999999999999999"} {
		check("PUT", "x", bad, 400, "")
	}
	if c.blob.String() != "0123456789" {
		t.Errorf("%q is there", c.blob.String())
	}
	check("PUT", "abcdefghij", "", 201, "10")
	if a, _ := b.ask("PUT", "/flott/blobs/abc", "x"); a.StatusCode != 400 {
		t.Errorf("a hash that is none: %s", a.Status)
	}
}

func TestSubmission(t *testing.T) {
	c := &client{}
	b := newBench(t, c, Options{})
	for path, want := range map[string]int{"/output": 404, "/result": 404, "/progress": 404} {
		if a, _ := b.ask("GET", "/flott/jobs/"+nobody+path, ""); a.StatusCode != want {
			t.Errorf("%s of no job: %s", path, a.Status)
		}
	}
	hash := strings.TrimPrefix(blobPath, "/flott/blobs/")
	for _, bad := range []string{`{"blob":"x"}`, `{"blob":"` + hash + `","jobId":"x"}`, `{`} {
		if a, _ := b.ask("POST", "/flott/jobs", bad); a.StatusCode != 400 {
			t.Errorf("%s: %s", bad, a.Status)
		}
	}
	body := `{"graph":{"a":1},"blob":"` + hash + `","args":["-x"],"env":["A=1"],"jobId":"` + nobody + `","version":"1","detached":true}`
	a, text := b.ask("POST", "/flott/jobs", body)
	if a.StatusCode != http.StatusAccepted || !strings.Contains(text, `"jobid":"`+nobody) {
		t.Fatalf("%s %s", a.Status, text)
	}
	if s := c.submitted; string(s.Graph) != `{"a":1}` || s.Blob[1] != 0x11 || s.Args[0] != "-x" || s.Env[0] != "A=1" || s.Job.String() != nobody || s.Version != "1" || !s.Detached {
		t.Errorf("%+v", s)
	}
	if a, text := b.ask("POST", "/flott/jobs", body); a.StatusCode != http.StatusConflict || !strings.Contains(text, "another job") {
		t.Errorf("a second one: %s %s", a.Status, text)
	}
	output := "/flott/jobs/" + nobody + "/output"
	if _, text := b.ask("GET", output+"?offset=3", ""); text != "hello\n" {
		t.Errorf("output %q", text)
	}
	if a, text := b.ask("GET", output, ""); a.StatusCode != http.StatusRequestedRangeNotSatisfiable || a.Header.Get("Output-Offset") != "2" {
		t.Errorf("output that is not kept: %s %s", a.Status, text)
	}
	if a, _ := b.ask("GET", output+"?offset=-1", ""); a.StatusCode != http.StatusBadRequest {
		t.Errorf("an offset that is none: %s", a.Status)
	}
	_, text = b.ask("GET", "/flott/jobs/"+nobody+"/result", "")
	var r view.Result
	if err := json.Unmarshal([]byte(text), &r); err != nil || r.State != "FINISHED" || r.RunTime != 12 || r.Operators[0].Name != "map" {
		t.Errorf("result %s, %v", text, err)
	}
	_, text = b.ask("GET", "/flott/jobs/"+nobody+"/progress", "")
	if err := json.Unmarshal([]byte(text), &r); err != nil || r.State != "RUNNING" || r.Operators[0].Name != "map" {
		t.Errorf("progress %s, %v", text, err)
	}
}

func TestEmbeddedJobManagerTakesNoJobs(t *testing.T) {
	b := newBench(t, nil, Options{})
	if _, body := b.ask("GET", "/config", ""); !strings.Contains(body, `"embedded":true`) {
		t.Errorf("the page is not told: %s", body)
	}
	for _, r := range [][2]string{{"POST", "/flott/jobs"}, {"PUT", blobPath}, {"GET", "/flott/jobs/" + nobody + "/output"}, {"GET", "/flott/jobs/" + nobody + "/result"}} {
		if a, body := b.ask(r[0], r[1], `{}`); a.StatusCode != 404 || !strings.Contains(body, "part of a program") {
			t.Errorf("%v: %s %s", r, a.Status, body)
		}
	}
}
