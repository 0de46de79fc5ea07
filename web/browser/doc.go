// Package browser tests the page in a real browser. It has no code but tests, all with the build tag external: they need chromium.
//
// Some stand in front of a real cluster. Those that compare pictures stand in front of scenes, which are what clusters have answered once:
//
//	go test -tags external -run ExternalPictures .                    compares with testdata/shots
//	SHOTS=/some/folder go test -tags external -run ExternalPictures . also writes the pictures as they are, to be looked at
//	go test -tags external -run ExternalPictures . -update            takes the pictures of today for right
//	go test -tags external -run ExternalPictures . -record -update    records the scenes anew before, which takes some minutes
package browser
