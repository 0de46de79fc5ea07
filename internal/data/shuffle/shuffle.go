// Package shuffle is the exchange between tasks: how records leave a task in blocks, travel as views, and
// come back as batches; and the mailbox through which everything reaches a task.
//
//	Writer[T]                                                     Gate[T]
//	 stage --(full, idle, event)--> block --view, view, view--> Mailbox --batches--> head of the chain
//	                                  ^                             |
//	                                  +------- last view read ------+
//
// A producer gathers records in a stage. When it flushes, the records of the stage are laid out in a block so that what goes to
// one consumer lies together, and each consumer gets a message with its view, a range of the block. Ranges are disjoint, so a
// consumer may compact its own in place; where several read the same range the batches are marked as shared. The block counts
// its readers and goes back to its producer when the last one is through. A producer has few blocks: having none is the
// back-pressure, and there is no other.
//
// Memory does not depend on the number of consumers, and one flush empties all partitions. Within a process nothing is serialised;
// what goes to another one waits in its block until it can be written, see Link. Types are erased
// in messages and found again, once per view, by the gate: both sides are made by the same Kind.
package shuffle

import "math"

// NoWatermark is the watermark before the first one.
const NoWatermark = math.MinInt64
