package id

// A KeyGroupRange is the key groups of one subtask, first and last included. The zero value is not a range of any subtask of a
// job with more than one key group.
type KeyGroupRange struct{ First, Last int }
