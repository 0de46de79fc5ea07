package rest

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"
)

// Flink's client reads the exception of a failed job or operation out of Java's own serial form, and gives up on the whole answer
// if it cannot. This is that form of one org.apache.flink.util.SerializedThrowable: a text, which stands for an exception whose
// class the reader need not have.

// throwableClass is the stream's head and the description of the class, of Exception and of Throwable, with all their fields.
const throwableClass = "\xac\xed\x00\x05" +
	"sr\x00\x29org.apache.flink.util.SerializedThrowable\x65\x16\x9d\xf5\x1f\xa7\x13\xf3\x02\x00\x03" +
	"L\x00\x19fullStringifiedStackTracet\x00\x12Ljava/lang/String;" +
	"L\x00\x16originalErrorClassNameq\x00\x7e\x00\x01" +
	"[\x00\x13serializedExceptiont\x00\x02[B" +
	"xr\x00\x13java.lang.Exception\xd0\xfd\x1f\x3e\x1a\x3b\x1c\xc4\x02\x00\x00" +
	"xr\x00\x13java.lang.Throwable\xd5\xc6\x35\x27\x39\x77\xb8\xcb\x03\x00\x04" +
	"L\x00\x05causet\x00\x15Ljava/lang/Throwable;" +
	"L\x00\x0ddetailMessageq\x00\x7e\x00\x01" +
	"[\x00\x0astackTracet\x00\x1e[Ljava/lang/StackTraceElement;" +
	"L\x00\x14suppressedExceptionst\x00\x10Ljava/util/List;" +
	"xp"

// serializedThrowable is an exception of a class, with a text that is message and stack trace in one.
func serializedThrowable(class, text string) []byte {
	const null, endOfFields = 'p', 'x'
	message, _, _ := strings.Cut(text, "\n")
	b := []byte(throwableClass)
	b = append(b, null) // cause
	b = appendJavaString(b, message)
	b = append(b, null, null, endOfFields) // stack trace, suppressed exceptions
	b = appendJavaString(b, text)
	b = appendJavaString(b, class)
	return append(b, null) // the serialised original
}

// appendJavaString writes Java's own UTF-8: of each half of a surrogate pair, and with two bytes for NUL.
func appendJavaString(b []byte, s string) []byte {
	var text []byte
	for _, u := range utf16.Encode([]rune(s)) {
		switch {
		case u >= 0x800:
			text = append(text, 0xE0|byte(u>>12), 0x80|byte(u>>6&0x3F), 0x80|byte(u&0x3F))
		case u >= 0x80 || u == 0:
			text = append(text, 0xC0|byte(u>>6), 0x80|byte(u&0x3F))
		default:
			text = append(text, byte(u))
		}
	}
	const short, long = 't', '|'
	if len(text) < 1<<16 {
		b = binary.BigEndian.AppendUint16(append(b, short), uint16(len(text)))
	} else {
		b = binary.BigEndian.AppendUint64(append(b, long), uint64(len(text)))
	}
	return append(b, text...)
}
