// Package layering keeps the order of imports: it has no code but a test, which reads order.txt and asks the go command what the
// packages of this module import. It also keeps graphs and deciders free of goroutines, locks, clocks, files and sockets.
package layering
