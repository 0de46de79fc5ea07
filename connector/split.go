package connector

// A Split is a part of a source that is read by one reader, in order: a file or a range of it, a partition, a range of numbers.
type Split struct {
	ID       string // unique within the source
	Position []byte // where to go on reading, in the source's own format; nil: from the start
}
