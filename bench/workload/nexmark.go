package workload

// Person, Auction and Bid are the three records of Nexmark; times are in ms.
type Person struct {
	ID                                   int64
	Name, Email, CreditCard, City, State string
	TS                                   int64
	Extra                                string
}

// An Auction offers an item.
type Auction struct {
	ID                                                 int64
	ItemName, Description                              string
	InitialBid, Reserve, TS, Expires, Seller, Category int64
	Extra                                              string
}

// A Bid offers a price in an auction.
type Bid struct {
	Auction, Bidder, Price int64
	Channel, URL           string
	TS                     int64
	Extra                  string
}

// An Event holds one of the three.
type Event struct {
	Person  *Person
	Auction *Auction
	Bid     *Bid
}

// TS is the event time in ms.
func (e Event) TS() int64 {
	switch {
	case e.Bid != nil:
		return e.Bid.TS
	case e.Auction != nil:
		return e.Auction.TS
	}
	return e.Person.TS
}

// Events fills a row of events, of which perMs are in a millisecond: out[j] is event first + j*stride. Of 50 events in a row one is a
// person, three are auctions and 46 are bids.
func Events(perMs int64) func(out []Event, first, stride int64) {
	return func(out []Event, first, stride int64) {
		for len(out) > mostOfSlab {
			fillSlab(out[:mostOfSlab], first, stride, perMs)
			out, first = out[mostOfSlab:], first+mostOfSlab*stride
		}
		fillSlab(out, first, stride, perMs)
	}
}

// fillSlab cuts the bids of a row from one allocation and their texts from another, instead of two for each.
func fillSlab(out []Event, first, stride, perMs int64) {
	bids, text := make([]Bid, len(out)), extras(len(out), first, stride)
	for j := range out {
		n := first + int64(j)*stride
		switch o := n % 50; {
		case o < 1:
			out[j] = Event{Person: person(n, n/perMs)}
		case o < 4:
			out[j] = Event{Auction: auction(n, n/perMs, perMs)}
		default:
			fillBid(&bids[j], n, n/perMs, text[j*extraStride:][:extraOfBid])
			out[j] = Event{Bid: &bids[j]}
		}
	}
}

const (
	mostOfSlab  = 256
	extraOfBid  = 20 // letters that a bid has in Extra
	extraStride = 24 // they are drawn by eights
)

// extras is the texts of a row's bids, each at a multiple of extraStride.
func extras(rows int, first, stride int64) string {
	var buffer [mostOfSlab * extraStride]byte // on the stack: the string is the one allocation
	for j := range rows {
		drawLetters(buffer[j*extraStride:], first+int64(j)*stride, 20, extraOfBid)
	}
	return string(buffer[:rows*extraStride])
}

const firstID = 1000

var (
	firstNames = []string{"Peter", "Paul", "Luke", "John", "Saul", "Vicky", "Kate", "Julie", "Sarah", "Deiter", "Walter"}
	lastNames  = []string{"Shultz", "Abrams", "Spencer", "White", "Bartels", "Walton", "Smith", "Jones", "Noris"}
	cities     = []string{"Phoenix", "Los Angeles", "San Francisco", "Boise", "Portland", "Bend", "Redmond", "Seattle", "Kent", "Cheyenne"}
	states     = []string{"AZ", "CA", "ID", "OR", "WA", "WY"}
)

func person(n, ts int64) *Person {
	return &Person{
		ID:         lastPerson(n) + firstID,
		Name:       firstNames[Below(n, 1, 11)] + " " + lastNames[Below(n, 2, 9)],
		Email:      letters(n, 3, 7) + "@" + letters(n, 4, 5) + ".com",
		CreditCard: creditCard(Below(n, 5, 1e16)),
		City:       cities[Below(n, 6, 10)],
		State:      states[Below(n, 7, 6)],
		TS:         ts,
		Extra:      letters(n, 20, 40),
	}
}

// creditCard is v as four groups of four digits.
func creditCard(v int64) string {
	b := []byte("0000 0000 0000 0000")
	for i := len(b) - 1; v > 0; i-- {
		if b[i] != ' ' {
			b[i] += byte(v % 10)
			v /= 10
		}
	}
	return string(b)
}

func auction(n, ts, perMs int64) *Auction {
	var b [184]byte // the three texts of an auction are one string
	drawLetters(b[:], n, 20, 20)
	drawLetters(b[20:], n, 30, 100)
	drawLetters(b[120:], n, 50, 50)
	text := string(b[:170])
	a := &Auction{
		ID:          lastAuction(n) + firstID,
		ItemName:    text[:20],
		Description: text[20:120],
		InitialBid:  price(n, 1),
		TS:          ts,
		Expires:     ts + 1 + Below(n, 3, max(2*((n+1666)/perMs-ts), 1)),
		Seller:      firstID + seller(n),
		Category:    10 + Below(n, 6, 5),
		Extra:       text[120:],
	}
	a.Reserve = a.InitialBid + price(n, 2)
	return a
}

func fillBid(b *Bid, n, ts int64, extra string) {
	b.Auction = firstID + bidAuction(n)
	b.Bidder = firstID + bidder(n)
	b.Price = price(n, 5)
	b.Channel, b.URL = channelOf(n)
	b.TS, b.Extra = ts, extra
}

// Sellers, auctions and bidders are hot ones (the same for a hundred in a row) in all but one of four, two and four draws.

func seller(n int64) int64 {
	if Below(n, 4, 4) > 0 {
		return lastPerson(n) / 100 * 100
	}
	return nextPerson(n, 5)
}

func bidAuction(n int64) int64 {
	if Below(n, 1, 2) > 0 {
		return lastAuction(n) / 100 * 100
	}
	return nextAuction(n, 2)
}

func bidder(n int64) int64 {
	if Below(n, 3, 4) > 0 {
		return lastPerson(n)/100*100 + 1
	}
	return nextPerson(n, 4)
}

func lastPerson(n int64) int64 { return n / 50 }

func lastAuction(n int64) int64 {
	e, o := n/50, n%50
	switch {
	case o < 1:
		e, o = e-1, 2
	case o >= 4:
		o = 2
	default:
		o--
	}
	return 3*e + o
}

func nextPerson(n, k int64) int64 {
	people := lastPerson(n) + 1
	active := min(people, 1000)
	return people - active + Below(n, k, active+10)
}

func nextAuction(n, k int64) int64 {
	last := lastAuction(n)
	first := max(last-100, 0)
	return first + Below(n, k, max(last, 0)-first+11)
}

// Discount is a new bid at 908 thousandths of the price.
func Discount(b *Bid) (d Bid) {
	d = *b
	d.Price = b.Price * 908 / 1000
	return d
}
