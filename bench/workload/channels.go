package workload

import (
	"strconv"
	"strings"
)

const site = "https://www.nexmark.com/"

// Half of the bids come by one of four hot channels, the others by one of ten thousand.
var (
	hotChannels = newRoll(4, hotChannel)
	channels    = newRoll(10_000, channel)
)

// channelOf is the name and the URL of a bid's channel.
func channelOf(n int64) (name, url string) {
	if Below(n, 6, 2) > 0 {
		return hotChannels.at(Below(n, 7, hotChannels.size()))
	}
	return channels.at(Below(n, 8, channels.size()))
}

func hotChannel(i int64) (name, url string) {
	name = []string{"Google", "Facebook", "Baidu", "Apple"}[i]
	return name, site + strings.ToLower(name) + "/item.htm?query=1"
}

func channel(i int64) (name, url string) {
	no := strconv.FormatInt(i, 10)
	path := letters(i, 1000, 5) + "/" + letters(i, 1001, 5) + "/" + letters(i, 1002, 5)
	return "channel-" + no, site + path + "/item.htm?query=1&channel_id=" + no
}

// A roll has all names and URLs in one string, and where each of them begins. Strings of their own would be twenty thousand objects
// for the garbage collector to mark each time.
type roll struct {
	text   string
	starts []uint32 // of name and URL in turn, and the end of the last one
}

func newRoll(size int64, entry func(i int64) (name, url string)) *roll {
	r := &roll{starts: make([]uint32, 0, 2*size+1)}
	var text strings.Builder
	add := func(s string) {
		r.starts = append(r.starts, uint32(text.Len()))
		text.WriteString(s)
	}
	for i := range size {
		name, url := entry(i)
		add(name)
		add(url)
	}
	add("")
	r.text = text.String()
	return r
}

func (r *roll) size() int64 { return int64(len(r.starts) / 2) }

func (r *roll) at(i int64) (name, url string) {
	s := r.starts[2*i : 2*i+3]
	return r.text[s[0]:s[1]], r.text[s[1]:s[2]]
}
