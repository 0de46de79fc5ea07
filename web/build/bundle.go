package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// assets is the folder of the files whose names have a hash of their content, and that a browser may therefore keep for good.
const assets = "assets/"

// entries is what index.html asks for: {{theme}} stands for the name of what src/theme.ts became.
var entries = map[string]string{"main": "src/main.tsx", "theme": "src/theme.ts", "icon": "src/icon.svg"}

// bundle is the files of the page, by their paths below dist.
func bundle(web string) (map[string][]byte, error) {
	result := api.Build(options(web))
	if err := messages(result.Errors); err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, f := range result.OutputFiles {
		if filepath.Base(f.Path) != "icon.js" { // that names the icon, which index.html does by itself
			files[assets+filepath.Base(f.Path)] = f.Contents
		}
	}
	var err error
	if files["index.html"], err = index(web, result.Metafile); err != nil {
		return nil, err
	}
	files["licenses.txt"], err = licenses(web)
	return files, err
}

func options(web string) api.BuildOptions {
	o := api.BuildOptions{
		AbsWorkingDir: web, Outdir: "dist/" + assets, EntryNames: "[name]-[hash]", AssetNames: "[name]-[hash]",
		Bundle: true, Format: api.FormatESModule, Target: api.ES2022, Charset: api.CharsetUTF8, LegalComments: api.LegalCommentsNone,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, Metafile: true,
		Loader: map[string]api.Loader{".woff2": api.LoaderFile, ".svg": api.LoaderCopy},
	}
	for _, source := range entries {
		o.EntryPoints = append(o.EntryPoints, source)
	}
	return o
}

// messages is what esbuild has against the sources, as one error.
func messages(all []api.Message) error {
	var errs []error
	for _, text := range api.FormatMessages(all, api.FormatMessagesOptions{Kind: api.ErrorMessage}) {
		errs = append(errs, errors.New(text))
	}
	return errors.Join(errs...)
}

// metafile is what esbuild says about its output.
type metafile struct {
	Outputs map[string]struct {
		EntryPoint string `json:"entryPoint"`
		CSS        string `json:"cssBundle"`
	} `json:"outputs"`
}

// index is index.html with the names that the files have got.
func index(web, meta string) ([]byte, error) {
	var m metafile
	if err := json.Unmarshal([]byte(meta), &m); err != nil {
		return nil, fmt.Errorf("metafile: %w", err)
	}
	html, err := os.ReadFile(filepath.Join(web, "src", "index.html"))
	var pairs []string
	for output, o := range m.Outputs {
		for name, source := range entries {
			if o.EntryPoint == source {
				pairs = append(pairs, "{{"+name+"}}", assets+filepath.Base(output), "{{"+name+".css}}", assets+filepath.Base(o.CSS))
			}
		}
	}
	return []byte(strings.NewReplacer(pairs...).Replace(string(html))), err
}

// licenses is those of all that the page is made of and that is not ours.
func licenses(web string) ([]byte, error) {
	var all bytes.Buffer
	paths, err := filepath.Glob(filepath.Join(web, "vendor", "*", "LICENSE"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&all, "%s\n\n%s\n\n", filepath.Base(filepath.Dir(path)), bytes.TrimSpace(text))
	}
	return all.Bytes(), nil
}
