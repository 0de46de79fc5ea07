package rest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/flott-dev/flott/internal/control/rest/resttest"
)

// TestSerializedThrowableIsOfFlinksClass compares the description of the class with that of a recorded one.
func TestSerializedThrowableIsOfFlinksClass(t *testing.T) {
	for _, r := range resttest.Recordings(t) {
		if r.Name != "job_execution_result_failed" {
			continue
		}
		var body resultBody
		if err := json.Unmarshal(r.Response.Body, &body); err != nil {
			t.Fatal(err)
		}
		flinks, err := base64.StdEncoding.DecodeString(body.Result.Cause.Serialized) // its beginning
		if err != nil {
			t.Fatal(err)
		}
		if len(flinks) < 290 || !bytes.HasPrefix(serializedThrowable("C", "text"), flinks) {
			t.Errorf("%q does not begin as %q", serializedThrowable("C", "text"), flinks)
		}
		return
	}
	t.Error("it was not recorded")
}

func TestJavaStrings(t *testing.T) {
	for s, want := range map[string]string{
		"":                         "t\x00\x00",
		"a":                        "t\x00\x01a",
		"\x00":                     "t\x00\x02\xc0\x80",
		"é":                        "t\x00\x02\xc3\xa9",
		"€":                        "t\x00\x03\xe2\x82\xac",
		"😀":                        "t\x00\x06\xed\xa0\xbd\xed\xb8\x80",
		strings.Repeat("x", 65536): "|\x00\x00\x00\x00\x00\x01\x00\x00" + strings.Repeat("x", 65536),
	} {
		if got := appendJavaString(nil, s); string(got) != want {
			t.Errorf("%.10q: %.20q, want %.20q", s, got, want)
		}
	}
}
