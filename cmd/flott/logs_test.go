package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/flott-dev/flott/internal/control/client"
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
	server := httptest.NewServer(mux)
	defer server.Close()
	c, err := client.New(server.URL, client.Options{})
	check(t, err)
	defer c.Close()
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

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
