package socket_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"

	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/connector/socket"
)

func ExampleLines() {
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	served := make(chan error)
	go func() { // ends when it has served one client
		served <- greet(server)
	}()

	env := flott.New(flott.Parallelism(1))
	env.From(socket.Lines(server.Addr().String())).Print()
	if _, err := env.Execute(context.Background(), "greeting"); err != nil {
		log.Fatal(err)
	}
	if err := <-served; err != nil {
		log.Fatal(err)
	}
	// Output:
	// hello
	// world
}

func greet(server net.Listener) error {
	defer func() { _ = server.Close() }()
	client, err := server.Accept()
	if err != nil {
		return err
	}
	if _, err := io.WriteString(client, fmt.Sprintln("hello")+"world"); err != nil {
		return err
	}
	return client.Close()
}
