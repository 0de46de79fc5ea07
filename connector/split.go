package connector

// A Split is a part of a source that is read by one reader, in order: a file or a range of it, a partition, a range of numbers.
type Split struct {
	ID       string // unique within the source; says all that a reader needs to know of it
	Position []byte // where to go on reading, in the source's own format; nil: from the start
}
