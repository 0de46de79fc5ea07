// Command none is a program without a job.
package main

import "fmt"

func main() { fmt.Println("usage: none") }
