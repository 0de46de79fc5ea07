package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/flott-dev/flott/internal/control/client"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/id"
)

// When a file has grown large, it gets another name and a new one begins: nothing is printed twice, and nothing is lost.
func TestLogsThatAreRotated(t *testing.T) {
	files := map[string]string{"worker-7.log": "one\n", "worker-7.out": "not this\n", "taskmanager.log": "nor this\n"}
	mux := http.NewServeMux()
	mux.HandleFunc("/taskmanagers/tm/logs", func(w http.ResponseWriter, _ *http.Request) {
		var all []map[string]any
		for name, text := range files {
			all = append(all, map[string]any{"name": name, "size": len(text)})
		}
		check(t, json.NewEncoder(w).Encode(map[string]any{"logs": all}))
	})
	mux.HandleFunc("/taskmanagers/tm/logs/{name}", func(w http.ResponseWriter, r *http.Request) {
		at, err := strconv.Atoi(r.Header.Get("Log-Offset"))
		check(t, err)
		_, err = io.WriteString(w, files[r.PathValue("name")][at:])
		check(t, err)
	})
	c := clientOf(t, mux)
	var out strings.Builder
	l := &logbook{Client: c, to: &out, start: "worker-7", end: ".log", processes: []string{client.TaskManager("tm")}, read: map[logFile]int64{}}
	for _, step := range []func(){
		func() {},
		func() {},
		func() { files["worker-7.log"] += "two\n" },
		func() { files["worker-7.log.1"], files["worker-7.log"] = files["worker-7.log"]+"three\n", "four\n" },
		func() { files["worker-7.log"] += "five\n" },
	} {
		step()
		check(t, l.more(t.Context()))
	}
	want := "one\ntwo\n==> worker-7.log.1 of tm <==\nthree\n==> worker-7.log of tm <==\nfour\nfive\n"
	if out.String() != want {
		t.Errorf("%s", out.String())
	}
}

// clientOf is a client of a JobManager that answers so.
func clientOf(t *testing.T, answers http.Handler) *client.Client {
	t.Helper()
	server := httptest.NewServer(answers)
	t.Cleanup(server.Close)
	c, err := client.New(server.URL, client.Options{})
	check(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

// A job may be over before its TaskManager has read the last words of a worker.
func TestLogsAreFollowedToTheLastWords(t *testing.T) {
	job := id.Job{7}
	text := "one\n"
	mux := http.NewServeMux()
	mux.HandleFunc("/jobs/overview", func(w http.ResponseWriter, _ *http.Request) {
		check(t, json.NewEncoder(w).Encode(map[string]any{"jobs": []client.Job{{ID: job, State: view.Finished}}}))
	})
	mux.HandleFunc("/flott/jobs/"+job.String()+"/output", func(http.ResponseWriter, *http.Request) { text += "last words\n" })
	mux.HandleFunc("/taskmanagers/tm/logs", func(w http.ResponseWriter, _ *http.Request) {
		check(t, json.NewEncoder(w).Encode(map[string]any{"logs": []any{map[string]any{"name": "worker-7.out", "size": len(text)}}}))
	})
	mux.HandleFunc("/taskmanagers/tm/logs/worker-7.out", func(w http.ResponseWriter, _ *http.Request) {
		_, err := io.WriteString(w, text)
		check(t, err)
	})
	c := clientOf(t, mux)
	var out strings.Builder
	l := &logbook{
		Client: c, to: &out, start: "worker-7", end: ".out", processes: []string{client.TaskManager("tm")}, job: &client.Job{ID: job}, read: map[logFile]int64{},
	}
	check(t, l.follow(t.Context()))
	if want := "==> worker-7.out of tm <==\none\nlast words\n"; out.String() != want {
		t.Errorf("%q", out.String())
	}
}

func TestLogsOfWhatIsNamed(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/taskmanagers", func(w http.ResponseWriter, _ *http.Request) {
		check(t, json.NewEncoder(w).Encode(map[string]any{"taskmanagers": []map[string]string{{"id": "tm-1"}, {"id": "tm-2"}}}))
	})
	mux.HandleFunc("/jobs/overview", func(w http.ResponseWriter, _ *http.Request) {
		check(t, json.NewEncoder(w).Encode(map[string]any{"jobs": []client.Job{
			{ID: id.Job{1}, Name: "twins", State: view.Running}, {ID: id.Job{2}, Name: "twins", State: view.Running}, {ID: id.Job{3}, Name: "words", State: view.Finished},
		}}))
	})
	c := clientOf(t, mux)
	for text, want := range map[string]string{
		"tm":       `"tm" is several TaskManagers; name one by its id: tm-1, tm-2`,
		"twins":    `"twins" is several jobs; name one by its id: `,
		"wordz":    `there is no job or TaskManager "wordz"; the nearest is "words"`,
		"payments": `there is no job or TaskManager "payments"`,
		"tm-2":     "", "words": "", "jobmanager": "",
	} {
		err := (&logbook{Client: c, end: ".log"}).find(t.Context(), text)
		if got := fmt.Sprint(err); want == "" && err != nil || !strings.HasPrefix(got, want) || strings.Contains(got, "nearest") != strings.Contains(want, "nearest") {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
