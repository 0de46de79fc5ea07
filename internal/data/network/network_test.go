package network

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/flott-dev/flott/internal/control/security"
	"github.com/flott-dev/flott/internal/data/shuffle"
	"github.com/flott-dev/flott/internal/fault"
	"github.com/flott-dev/flott/internal/hostile"
	"github.com/flott-dev/flott/internal/id"
)

func TestEverythingArrivesInOrder(t *testing.T) {
	for workers := range 4 {
		var all []*Endpoint
		for i := range workers + 1 {
			all = append(all, listen(t, unix(t, fmt.Sprint("worker ", i))))
		}
		newJob(4, all...).succeeds(t, 20_000)
	}
}

// However many channels there are, and whoever asks first, a pair of workers has one connection.
func TestOneConnectionForEachPair(t *testing.T) {
	for range 20 {
		a, b := listen(t, unix(t, "a")), listen(t, unix(t, "b"))
		j := newJob(4, a, b)
		j.relays = map[*Endpoint]*relay{a: newRelay(t, a), b: newRelay(t, b)}
		j.succeeds(t, 100)
		if n := j.relays[a].connections() + j.relays[b].connections(); n != 1 {
			t.Fatalf("%d connections", n)
		}
	}
}

// With a connection its tasks fail, and say who was at its other end. Their next attempts have a new one.
func TestCutConnection(t *testing.T) {
	a, b := listen(t, unix(t, "a")), listen(t, unix(t, "b"))
	j := newJob(2, a, b)
	between := newRelay(t, b)
	j.relays = map[*Endpoint]*relay{b: between}
	ended := make(chan result)
	go func() { ended <- j.run(1 << 40) }()
	for j.received(a) == 0 || j.received(b) == 0 { // then all channels are open
		time.Sleep(time.Millisecond)
	}
	between.cut()
	r := <-ended
	for i, peer := range []string{"b", "a"} {
		for _, err := range []error{r.produced[i], r.consumed[i]} {
			if want := fmt.Sprintf("connection to worker %q", peer); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("a task of worker %d ended with %v, want %s", i, err, want)
			}
		}
	}
	j.attempt++
	j.succeeds(t, 1000)
	if n := between.connections(); n != 2 {
		t.Errorf("%d connections", n)
	}
}

// received is how many bytes have come to the consumers of a worker.
func (j *job) received(w *Endpoint) (sum int64) {
	for i := range j.tasks {
		if j.worker(i) == w {
			in, _ := w.Directory().Mailbox(vertex, i, j.attempt).Traffic()
			sum += in
		}
	}
	return sum
}

// A worker that is gone is replaced by another one.
func TestReplacedWorker(t *testing.T) {
	a, b := listen(t, unix(t, "a")), listen(t, unix(t, "b"))
	j := newJob(2, a, b)
	j.succeeds(t, 100)
	check(t, b.Close())
	j.attempt++
	j.workers[1] = listen(t, unix(t, "c"))
	j.succeeds(t, 100)
}

func TestOtherMachines(t *testing.T) {
	authority, err := security.NewAuthority()
	check(t, err)
	secured := func(name string) Options {
		c, err := authority.Issue(t.TempDir(), "localhost")
		check(t, err)
		server, err := c.Server()
		check(t, err)
		client, err := c.Client()
		check(t, err)
		return tcp(t, name, server, client)
	}
	a, b := listen(t, secured("a")), listen(t, secured("b"))
	newJob(2, a, b).succeeds(t, 20_000)

	// Who has no certificate comes to nothing, although he knows the secret.
	fails(t, listen(t, tcp(t, "9", nil, nil)), "b", b.Addr(), "connection to worker")
	fails(t, a, "open", listen(t, tcp(t, "open", nil, nil)).Addr(), "connection to worker")
	// Nor who has one of another authority.
	authority, err = security.NewAuthority()
	check(t, err)
	fails(t, listen(t, secured("9")), "b", b.Addr(), "certificate")
}

// A worker is reached over its Unix socket if it is on the same machine, or else at its port.
func TestAddressesAreTriedInOrder(t *testing.T) {
	o := unix(t, "b")
	o.Listen = append(o.Listen, "tcp:127.0.0.1:0")
	a, b := listen(t, unix(t, "a")), listen(t, o)
	local, remote, _ := strings.Cut(b.Addr(), ",")
	for _, address := range []string{local + ",tcp:127.0.0.1:1", "unix:/nowhere/at/all," + remote} {
		p := &peer{endpoint: a, name: "b", address: address}
		c, err := p.dial(t.Context())
		check(t, err)
		if got := c.RemoteAddr().Network() + ":" + c.RemoteAddr().String(); !strings.Contains(address, got) {
			t.Errorf("%s is reached at %s", address, got)
		}
		check(t, c.Close())
	}
}

func TestConnectionsThatCannotBe(t *testing.T) {
	for want, change := range map[string]func(o *Options){
		"does not know the secret of this job":                func(o *Options) { o.Secret = []byte("guess") },
		"and this worker for job " + id.Job{7}.String():       func(o *Options) { o.Job = id.Job{7} },
		`it looks for worker \"b\", and this is worker \"c\"`: func(o *Options) { o.Worker = "c" },
	} {
		o := unix(t, "b")
		change(&o)
		fails(t, listen(t, unix(t, "a")), "b", listen(t, o).Addr(), want)
	}
	for _, address := range []string{"", "unix:", "udp:1", "unix:/nowhere/at/all"} {
		fails(t, listen(t, unix(t, "a")), "b", address, `connection to worker "b": it cannot be made to `+address)
	}
}

func TestPeerThatDoesNotDial(t *testing.T) {
	o := unix(t, "b")
	o.patience = time.Millisecond
	b := listen(t, o)
	fails(t, b, "a", "", `connection to worker "a": it was not made in time`)
}

func TestClosedEndpoint(t *testing.T) {
	b := listen(t, unix(t, "b"))
	waiting := b.To("a", "")
	check(t, b.Close())
	for _, l := range []*shuffle.Link{waiting, b.To("a", "")} {
		if err := broken(l); !errors.Is(err, fault.ErrConnection) || !strings.Contains(err.Error(), errClosed.Error()) {
			t.Errorf("the link is broken by %v", err)
		}
	}
	_, path, _ := split(b.Addr())
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the socket is left: %v", err)
	}
}

func TestAddressesThatCannotBe(t *testing.T) {
	for _, at := range []string{"udp:1", "unix:/nowhere/at/all", "tcp:127.0.0.1:99999"} {
		o := unix(t, "a")
		o.Listen = append(o.Listen, at)
		if e, err := Listen(o); err == nil {
			t.Errorf("%s: %v", at, errors.Join(errors.New("listens"), e.Close()))
		}
	}
}

// fails wants the link to a worker to break.
func fails(t *testing.T, e *Endpoint, worker, address, want string) {
	t.Helper()
	if err := broken(e.To(worker, address)); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the link is broken by %v, want %s", err, want)
	}
}

// broken waits until a link is broken, and says why.
func broken(l *shuffle.Link) error {
	box := shuffle.NewMailbox()
	j := newJob(1)
	shuffle.RouteOf(&j.partition, 0, nil, func(_, _ int) shuffle.Place { return shuffle.Place{Link: l} }, box)
	box.Wait(shuffle.Mails)
	return attend(box)
}

// What strangers say is an error and a closed connection.
func TestStrangers(t *testing.T) {
	a, b := listen(t, unix(t, "a")), listen(t, unix(t, "b"))
	for _, said := range [][]byte{{0, 0}, {0xff, 0xff}, []byte("GET / HTTP/1.1\r\n\r\n"), heard("null"), heard(`{"protocol":"flott-data/2"}`)} {
		if answer := converse(t, b, said); strings.Contains(string(answer), "proof") {
			t.Errorf("%q is answered with %q", said, answer)
		}
	}
	newJob(2, a, b).succeeds(t, 100)
}

func TestSilentStrangers(t *testing.T) {
	o := unix(t, "b")
	o.patience = 10 * time.Millisecond
	converse(t, listen(t, o), nil)
}

// Those who do not go away leave no room for others, but those who are known already stay.
func TestCrowdOfStrangers(t *testing.T) {
	b := listen(t, unix(t, "b"))
	for range mostStrangers {
		c := dial(t, b)
		defer func() { check(t, c.Close()) }()
	}
	for len(b.strangers) < mostStrangers {
		time.Sleep(time.Millisecond)
	}
	if answer := converse(t, b, heard("{}")); len(answer) > 0 {
		t.Errorf("one too many is answered with %q", answer)
	}
}

func dial(t *testing.T, e *Endpoint) net.Conn {
	t.Helper()
	kind, where, err := split(e.Addr())
	check(t, err)
	c, err := net.Dial(kind, where)
	check(t, err)
	return c
}

// converse says something, and hears all until the other side closes.
func converse(t *testing.T, e *Endpoint, said []byte) (answer []byte) {
	t.Helper()
	c := dial(t, e)
	_, _ = c.Write(said) // it may be closed already
	answer, _ = io.ReadAll(c)
	check(t, c.Close())
	return answer
}

// heard is a message as it is on the wire.
func heard(text string) []byte {
	return append(binary.LittleEndian.AppendUint16(nil, uint16(len(text))), text...)
}

// A worker that has proved itself and then says what is no frame loses its connection.
func TestDamagedFrames(t *testing.T) {
	a, b := listen(t, unix(t, "a")), listen(t, unix(t, "b"))
	link := b.To("a", "")
	p := &peer{endpoint: a, name: "b", address: b.Addr()}
	c, err := p.dial(t.Context())
	check(t, err)
	_, err = c.Write([]byte{4, 0, 0, 0, 99, 1, 2, 3})
	check(t, err)
	if err := broken(link); err == nil || !strings.Contains(err.Error(), `connection to worker "a": a frame from another process is damaged`) {
		t.Errorf("the link is broken by %v", err)
	}
	if n, err := c.Read(make([]byte, 1)); n > 0 || err == nil {
		t.Error("the connection is open")
	}
	check(t, c.Close())
}

// A script is what the other side says, whatever it hears.
type script struct {
	io.Reader
	said bytes.Buffer
}

func (s *script) Write(b []byte) (int, error) { return s.said.Write(b) }

// price: a handshake reads no more than a few short messages.
var price = hostile.Price{Constant: 32 << 10}

// No bytes but those of who knows the secret make a connection, on either side.
func FuzzHandshake(f *testing.F) {
	e := &Endpoint{options: Options{Worker: "b", Job: theJob, Secret: []byte("secret")}}
	for _, from := range []string{"a", "c"} {
		s := &script{Reader: bytes.NewReader(nil)}
		_ = (&Endpoint{options: Options{Worker: from, Job: theJob, Secret: []byte("guess")}}).introduce(s, "b")
		f.Add(s.said.Bytes())
	}
	f.Add(heard(`{"refusal":"no"}`))
	f.Add(heard(`{"nonce":"AAAA","proof":"AAAA"}`))
	f.Fuzz(func(t *testing.T, said []byte) {
		price.Pay(t, len(said), func() {
			if from, err := e.answer(&script{Reader: bytes.NewReader(said)}); err == nil {
				t.Errorf("%q has proved himself", from)
			}
		})
		price.Pay(t, len(said), func() {
			if err := e.introduce(&script{Reader: bytes.NewReader(said)}, "c"); err == nil {
				t.Error("he who listens has proved himself")
			}
		})
	})
}
