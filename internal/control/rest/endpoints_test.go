package rest

import (
	"encoding/json"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/rest.md anew")

// document is where people read the table.
const document = "../../../docs/rest.md"

func TestDocumentIsTheTable(t *testing.T) {
	if *update {
		if err := os.WriteFile(document, []byte(Document()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != Document() {
		t.Errorf("%s is not what the table says: go test ./internal/control/rest -run TestDocumentIsTheTable -update", document)
	}
}

// TestTableHasFlinksEndpoints compares with the list that was read out of Flink's own classes.
func TestTableHasFlinksEndpoints(t *testing.T) {
	data, err := os.ReadFile("testdata/endpoints.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSpace(string(data)), "\n")
	var got []string
	for _, e := range endpoints {
		if !e.Beyond {
			got = append(got, strings.TrimSpace(e.Method+" "+e.Path+" "+strings.Join(slices.Sorted(slices.Values(e.Query)), ",")))
		}
	}
	slices.Sort(got)
	if len(want) != 98 || !slices.Equal(got, want) {
		for _, w := range want {
			if !slices.Contains(got, w) {
				t.Errorf("%s is missing", w)
			}
		}
		for _, g := range got {
			if !slices.Contains(want, g) {
				t.Errorf("%s is none of Flink's", g)
			}
		}
		t.Errorf("%d endpoints, want 98", len(got))
	}
}

func TestEveryFateHasItsReason(t *testing.T) {
	for _, e := range endpoints {
		if (e.Why == "") != (e.Fate == served) || e.Fate == absent && e.Status != http.StatusNotFound || e.Fate != absent && e.About == "" {
			t.Errorf("%+v", e)
		}
	}
}

// TestBareAndVersioned asks each endpoint that changes nothing both ways: the answers have the same status and kind.
func TestBareAndVersioned(t *testing.T) {
	b := newBench(t, &client{}, Options{})
	for _, e := range endpoints {
		if e.Method != http.MethodGet || e.Changes || e.Path == anyFile || strings.HasSuffix(e.Path, "/events") {
			continue
		}
		path := strings.NewReplacer(":jobid", running, ":applicationid", running, ":vertexid", vertexForProfile, ":taskmanagerid", "tm-1",
			":subtaskindex", "0", ":attempt", "0", ":filename", "flott.log", ":triggerid", nobody, ":checkpointid", "1").Replace(e.Path)
		bare, _ := b.ask("GET", path, "{}")
		versioned, _ := b.ask("GET", "/v1"+path, "")
		if bare.StatusCode != versioned.StatusCode || bare.Header.Get("Content-Type") != versioned.Header.Get("Content-Type") {
			t.Errorf("%s: %s, below /v1 %s", path, bare.Status, versioned.Status)
		}
		if head, _ := b.ask("HEAD", path, ""); head.StatusCode != http.StatusNotFound {
			t.Errorf("HEAD %s: %s", path, head.Status)
		}
		if other, body := b.ask("OPTIONS", path, ""); other.StatusCode != http.StatusNotFound || !strings.Contains(body, "Not found: "+path) {
			t.Errorf("OPTIONS %s: %s %s", path, other.Status, body)
		}
	}
}

func TestOpenAPIKnowsItsParts(t *testing.T) {
	b := newBench(t, &client{}, Options{Version: "1.2.3"})
	var doc map[string]any
	b.into("/flott/openapi.json", &doc)
	schemas := doc["components"].(object)["schemas"].(object)
	data, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	for part := range strings.SplitSeq(string(data), `"$ref":"#/components/schemas/`) {
		name, _, isRef := strings.Cut(part, `"`)
		if s, ok := schemas[name].(object); isRef && !strings.HasPrefix(part, "{") && (!ok || s["type"] != "object") {
			t.Errorf("no schema %s", name)
		}
	}
	job := schemas["JobDetails"].(object)["properties"].(object)
	for _, name := range []string{"jid", "application-id", "start-time", "vertices", "plan"} {
		if job[name] == nil {
			t.Errorf("jobs have no %s in %v", name, job)
		}
	}
	wiring := schemas["GraphsInput"].(object)["properties"].(object)["wiring"].(object)
	if pair := wiring["items"].(object); wiring["type"] != "array" || pair["type"] != "array" || pair["maxItems"] != 2.0 {
		t.Errorf("wiring is %v", wiring)
	}
	paths := doc["paths"].(object)
	for _, e := range endpoints {
		if e.Path != anyFile && paths[parameter.ReplaceAllString(e.Path, "{$1}")] == nil {
			t.Errorf("%s is not in the document", e.Path)
		}
	}
}

// The calls that the document shows are those of the table.
func TestExamplesAreOfTheTable(t *testing.T) {
	s := New(nil, nil, Options{})
	calls := regexp.MustCompile(`curl .*http://127\.0\.0\.1:8081(/[^" ?\n]*)`).FindAllStringSubmatch(Document(), -1)
	if len(calls) != 4 {
		t.Errorf("%d examples, want 4", len(calls))
	}
	for _, c := range calls {
		want := http.MethodGet
		if strings.Contains(c[0], "-X PATCH") {
			want = http.MethodPatch
		}
		_, pattern := s.mux.Handler(httptest.NewRequest(want, strings.ReplaceAll(c[1], "$JOB", running), nil))
		if method(pattern) != want {
			t.Errorf("nothing serves %s", c[0])
		}
	}
}
