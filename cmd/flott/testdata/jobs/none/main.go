// Command none is a program without a job.
package main

func main() {}
