// Package file reads and writes files and folders.
//
// A path is a file, a folder, or a pattern of filepath.Match. A folder stands for every file below it, whatever its depth, except
// those whose name, or that of a folder on the way, begins with "." or "_": as in Flink, they are hidden, and so are what Writer
// has not finished. Patterns find no hidden files either, unless they ask for them. A file that several paths name is read once.
// Files that end in .gz, .gzip, .zst or .zstd are decompressed. A byte order mark at the start is skipped.
//
// Files are read in parallel. Lines and JSON are also cut into ranges where they are large and not compressed, so that several
// subtasks share one file; a line belongs to the range in which it begins. A CSV file is read by one subtask, because a quoted
// value may hold ends of line, and no place in the midst of a file tells whether it is one. Records of one file or range keep
// their order.
package file

import "github.com/flott-dev/flott/connector"

// Lines makes a source of the lines of text files, without what ends them: "\n" or "\r\n". A line may have 16 MiB.
func Lines(paths ...string) connector.Source[string] {
	return newSource(paths, lineFormat[string]{decode: func(line []byte, v *string) error {
		*v = string(line)
		return nil
	}})
}

// JSON makes a source of files with one JSON value a line, read as package encoding/json/v2 does, but for names of struct fields,
// whose case does not matter. Empty lines are skipped.
func JSON[T any](paths ...string) connector.Source[T] {
	return newSource(paths, lineFormat[T]{decode: decodeJSON[T], skipEmpty: true})
}

// CSV makes a source of files with comma-separated values, as RFC 4180 has them, into structs of type T. The first line of every
// file names the columns; each field of T takes the column that its tag names (`csv:"unit price"`), or else the column of its own
// name, in any case. Columns without a field, and fields tagged `csv:"-"`, are left alone. A record may have 16 MiB. A
// file without a single byte has no records; any other one must have a header.
//
// A field is a string, number, bool, time.Duration ("1m30s"), time.Time (RFC 3339), or any type that can UnmarshalText. Its column
// must be there and its value may not be empty, strings aside. A pointer to such a type is nil where column or value is missing.
func CSV[T any](paths ...string) connector.Source[T] {
	return newSource(paths, newCSV[T]())
}
