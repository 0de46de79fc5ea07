// Command build makes the page: it bundles web/src and web/vendor into web/dist. `go generate ./web` runs it; nothing but Go is needed.
//
//	go run -C web/build .                                                     writes web/dist
//	go run -C web/build . -serve 127.0.0.1:8099 -api http://127.0.0.1:8081    serves it, built at each reload, in front of a JobManager
package main

import (
	"errors"
	"flag"
	"log"
	"os"
	"path/filepath"
)

func main() {
	log.SetFlags(0)
	serveAt := flag.String("serve", "", "serve the page at this `address`, built anew for each load, instead of writing it")
	api := flag.String("api", "http://127.0.0.1:8081", "the `URL` of the JobManager that answers what is no file of the page")
	flag.Parse()
	if err := run(*serveAt, *api); err != nil {
		log.Fatal(err)
	}
}

func run(serveAt, api string) error {
	web, err := filepath.Abs("..")
	if err != nil {
		return err
	}
	if serveAt != "" {
		return serve(serveAt, api, web)
	}
	files, err := bundle(web)
	if err != nil {
		return err
	}
	return write(filepath.Join(web, "dist"), files)
}

// write replaces a folder's files.
func write(dist string, files map[string][]byte) error {
	errs := []error{os.RemoveAll(dist)}
	for name, content := range files {
		path := filepath.Join(dist, filepath.FromSlash(name))
		errs = append(errs, os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, content, 0o644))
	}
	return errors.Join(errs...)
}
