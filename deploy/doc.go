// Package deploy has images and manifests; its test reads them as a Kubernetes cluster would.
package deploy
