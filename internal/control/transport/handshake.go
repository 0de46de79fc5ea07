package transport

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/security"
)

// What both sides say before the first message, as headers of the stream.
const (
	tokenHeader    = "authorization"
	protocolHeader = "flott-protocol"
	versionHeader  = "flott-version"
	hostHeader     = "flott-host"
)

// A Refusal is why a JobManager and a process do not come together. Trying again does not help.
type Refusal struct{ Reason string }

// Error is the reason.
func (r *Refusal) Error() string { return r.Reason }

// introduction is what a process says of itself.
func (o *Options) introduction(protocol string) metadata.MD {
	host, _ := os.Hostname() // for people; without, they see the address
	md := metadata.Pairs(protocolHeader, protocol, versionHeader, o.Version, hostHeader, host)
	if o.Security.Token != "" {
		md.Set(tokenHeader, "Bearer "+o.Security.Token)
	}
	return md
}

// admit looks at who opens a stream before anything that it sends.
func (o *Options) admit(server any, s grpc.ServerStream, _ *grpc.StreamServerInfo, handle grpc.StreamHandler) error {
	md, _ := metadata.FromIncomingContext(s.Context())
	if !security.SameToken(said(md, tokenHeader), bearer(o.Security.Token)) {
		return status.Error(codes.Unauthenticated, "the token is not the cluster's")
	}
	if got := said(md, protocolHeader); got != strconv.Itoa(rpc.Protocol) {
		return status.Errorf(codes.FailedPrecondition, "the JobManager is flott %s (protocol %d) and cannot work with flott %q (protocol %q) on host %q",
			o.Version, rpc.Protocol, said(md, versionHeader), got, said(md, hostHeader))
	}
	if err := s.SendHeader(metadata.Pairs(protocolHeader, strconv.Itoa(rpc.Protocol), versionHeader, o.Version)); err != nil {
		return err
	}
	return handle(server, s)
}

func bearer(token string) string {
	if token == "" {
		return ""
	}
	return "Bearer " + token
}

// said is the value of a header; "" when there is none.
func said(md metadata.MD, header string) string {
	if v := md.Get(header); len(v) > 0 {
		return v[0]
	}
	return ""
}

// reason is what the end of a stream means.
func reason(err error) error {
	s, ok := status.FromError(err)
	switch {
	case errors.Is(err, io.EOF), ok && s.Code() == codes.Canceled:
		return errClosed
	case !ok:
		return err
	case s.Code() == codes.Unauthenticated, s.Code() == codes.FailedPrecondition:
		return &Refusal{s.Message()}
	case s.Code() == codes.Unimplemented:
		return &Refusal{fmt.Sprintf("this is no JobManager of flott, or one that cannot work with protocol %d: %s", rpc.Protocol, s.Message())}
	}
	return errors.New(s.Message())
}
