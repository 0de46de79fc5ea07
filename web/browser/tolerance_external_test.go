//go:build external

package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// Pictures are compared so that people's eyes and the test agree: what is gone, moved or of another colour is noticed, however small it
// is, and how letters are drawn is not.
func TestExternalTolerance(t *testing.T) {
	const payments = "#/job/{payments}?layer=1"
	for name, c := range map[string]struct {
		hash, change string
		noticed      bool
	}{
		"nothing":                     {payments, `0`, false},
		"all text half a pixel aside": {payments, `shift(document.body, .5, 0)`, false},
		"all text half a pixel below": {payments, `shift(document.body, 0, .5)`, false},
		"a button that is gone":       {payments, `button("Cancel…").style.visibility = "hidden"`, true},
		"a sign that is gone":         {payments, `button("Keys").style.visibility = "hidden"`, true},
		"a dot of another colour":     {"", `document.querySelector("main .dot.green").style.background = "var(--warn)"`, true},
		"a label that has moved":      {payments, `shift(label("HASH"), 8, 0)`, true},
		"a name that has moved":       {payments, `shift(document.querySelector(".operator b"), 0, 8)`, true},
	} {
		t.Run(name, func(t *testing.T) {
			tb := place{scene: "cluster", hash: c.hash, says: "Payments risk"}.open(t, desk)
			before := shrunk(tb.picture())
			eval[chromedp.Void](tb, changes+c.change+"; undefined")
			tb.settle()
			n := len(different(shrunk(tb.picture()), before))
			t.Logf("it differs in %d tiles", n)
			if (n > 0) != c.noticed {
				t.Errorf("noticed at %d places", n)
			}
		})
	}
}

// changes is what tests do to a page.
const changes = `
const shift = (e, x, y) => e.style.translate = x + "px " + y + "px";
const button = name => [...document.querySelectorAll("button")].find(e => (e.ariaLabel ?? e.innerText).startsWith(name));
const label = words => [...document.querySelectorAll(".label")].find(e => e.innerText.includes(words));
`
