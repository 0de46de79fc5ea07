// Proto makes the Go code of a file of Protocol Buffers: proto FILE. It runs the generators that this module pins, and needs no other
// program.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/gofeaturespb"
	"google.golang.org/protobuf/types/pluginpb"
)

func main() {
	if err := generate(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func generate(file string) error {
	request, err := compile(filepath.Dir(file), filepath.Base(file))
	if err != nil {
		return err
	}
	for _, plugin := range []string{"protoc-gen-go", "protoc-gen-go-grpc"} {
		if err := run(plugin, request, filepath.Dir(file)); err != nil {
			return fmt.Errorf("%s: %w", plugin, err)
		}
	}
	return nil
}

// compile is what generators are given: the file and all that it imports, in order of dependency.
func compile(dir, name string) ([]byte, error) {
	compiler := protocompile.Compiler{
		Resolver: protocompile.CompositeResolver{
			&protocompile.SourceResolver{ImportPaths: []string{dir}},
			protocompile.ResolverFunc(linked),
		},
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	files, err := compiler.Compile(context.Background(), name)
	if err != nil {
		return nil, err
	}
	request := &pluginpb.CodeGeneratorRequest{FileToGenerate: []string{name}, Parameter: proto.String("paths=source_relative")}
	add(request, map[string]bool{}, files[0])
	return proto.Marshal(request)
}

// linked finds the files that come with the library.
func linked(path string) (protocompile.SearchResult, error) {
	for _, f := range []protoreflect.FileDescriptor{descriptorpb.File_google_protobuf_descriptor_proto, gofeaturespb.File_google_protobuf_go_features_proto} {
		if f.Path() == path {
			return protocompile.SearchResult{Desc: f}, nil
		}
	}
	return protocompile.SearchResult{}, os.ErrNotExist
}

func add(request *pluginpb.CodeGeneratorRequest, seen map[string]bool, f protoreflect.FileDescriptor) {
	if seen[f.Path()] {
		return
	}
	seen[f.Path()] = true
	for i := range f.Imports().Len() {
		add(request, seen, f.Imports().Get(i).FileDescriptor)
	}
	request.ProtoFile = append(request.ProtoFile, protodesc.ToFileDescriptorProto(f))
}

func run(plugin string, request []byte, dir string) error {
	c := exec.Command("go", "tool", plugin)
	c.Stdin, c.Stderr = bytes.NewReader(request), os.Stderr
	out, err := c.Output()
	if err != nil {
		return err
	}
	var response pluginpb.CodeGeneratorResponse
	if err := proto.Unmarshal(out, &response); err != nil {
		return err
	}
	if response.Error != nil {
		return errors.New(*response.Error)
	}
	for _, f := range response.File {
		if err := os.WriteFile(filepath.Join(dir, f.GetName()), []byte(f.GetContent()), 0o666); err != nil {
			return err
		}
	}
	return nil
}
