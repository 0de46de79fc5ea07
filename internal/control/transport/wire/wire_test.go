package wire_test

import (
	"os"
	"testing"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/gofeaturespb"

	"github.com/flott-dev/flott/internal/control/transport/wire"
)

// The generated code is of wire.proto as it stands: else run go generate here.
func TestGeneratedCodeIsUpToDate(t *testing.T) {
	compiler := protocompile.Compiler{Resolver: protocompile.CompositeResolver{
		&protocompile.SourceResolver{ImportPaths: []string{"."}},
		protocompile.ResolverFunc(linked),
	}}
	files, err := compiler.Compile(t.Context(), "wire.proto")
	if err != nil {
		t.Fatal(err)
	}
	want, got := protodesc.ToFileDescriptorProto(files[0]), protodesc.ToFileDescriptorProto(wire.File_wire_proto)
	if !proto.Equal(got, want) {
		t.Errorf("the generated code is of\n%v\nwant\n%v", got, want)
	}
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
