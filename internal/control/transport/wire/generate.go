// Package wire is the form of the messages of package rpc on the wire. All but this file is generated from wire.proto.
package wire

//go:generate go run -C ../../../../tools ./proto ../internal/control/transport/wire/wire.proto
