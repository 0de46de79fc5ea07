package file_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/connector/file"
)

func run(env *flott.Environment) {
	if _, err := env.Execute(context.Background(), "example"); err != nil {
		log.Fatal(err)
	}
}

// folder makes a folder with one file in it, until remove is called.
func folder(name, text string) (dir string, remove func()) {
	dir, err := os.MkdirTemp("", "flott")
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
		log.Fatal(err)
	}
	return dir, func() {
		if err := os.RemoveAll(dir); err != nil {
			log.Fatal(err)
		}
	}
}

func ExampleLines() {
	dir, remove := folder("log.txt", "GET /\nPOST /cart\nGET /cart\n")
	defer remove()

	env := flott.New(flott.Parallelism(1))
	env.From(file.Lines(filepath.Join(dir, "*.txt"))).
		Filter(func(line string) bool { return strings.HasPrefix(line, "GET") }).
		Print()
	run(env)
	// Output:
	// GET /
	// GET /cart
}

func ExampleCSV() {
	dir, remove := folder("orders.csv", "item,price,note\ntea,3.5,\n\"jam, red\",2,\"half\nempty\"\n")
	defer remove()

	type order struct {
		Item   string
		Amount float64 `csv:"price"`
	}
	env := flott.New(flott.Parallelism(1))
	env.From(file.CSV[order](dir)).Print()
	run(env)
	// Output:
	// {tea 3.5}
	// {jam, red 2}
}

func ExampleJSON() {
	dir, remove := folder("orders.jsonl", `{"item":"tea","price":3.5}`+"\n"+`{"item":"jam","price":2}`+"\n")
	defer remove()

	type order struct {
		Item  string
		Price float64
	}
	env := flott.New(flott.Parallelism(1))
	env.From(file.JSON[order](dir)).Print()
	run(env)
	// Output:
	// {tea 3.5}
	// {jam 2}
}

func ExampleWriter() {
	dir, remove := folder("part-0-0", "1\n") // of an earlier run
	defer remove()

	env := flott.New(flott.Parallelism(1))
	env.From(flott.Of(2, 3)).To(file.Writer(dir, func(n int) string { return fmt.Sprint(n) }))
	run(env)

	part, err := os.ReadFile(filepath.Join(dir, "part-0-1"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(part))
	// Output:
	// 2
	// 3
}
