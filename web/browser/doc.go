// Package browser tests the page in a real browser, in front of a real cluster. It has no code but tests, all with the build tag
// external: they need chromium.
package browser
