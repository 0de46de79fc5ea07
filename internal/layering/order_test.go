package layering

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// An order says for each package, or pattern ending in /*, which others it may import.
type order map[string]map[string]bool

// parseOrder reads the form that order.txt explains.
func parseOrder(text string) (order, error) {
	o := order{}
	for rule := range strings.SplitSeq(stripComments(text), ";") {
		if strings.TrimSpace(rule) == "" {
			continue
		}
		if err := o.addRule(rule); err != nil {
			return nil, err
		}
	}
	return o, o.close()
}

func stripComments(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		code, _, _ := strings.Cut(line, "#")
		b.WriteString(code + "\n")
	}
	return b.String()
}

func (o order) addRule(rule string) error {
	var below []string
	for side := range strings.SplitSeq(rule, "<") {
		names := splitNames(side)
		if len(names) == 0 {
			return fmt.Errorf("a side of %q is empty", strings.TrimSpace(rule))
		}
		for _, name := range names {
			o.allow(name, below)
		}
		below = names
	}
	return nil
}

func (o order) allow(name string, below []string) {
	if o[name] == nil {
		o[name] = map[string]bool{}
	}
	for _, b := range below {
		o[name][b] = true
	}
}

// close adds to each name what those below it may import, and finds names that stand below themselves.
func (o order) close() error {
	for via := range o {
		for name := range o {
			if o[name][via] {
				maps.Copy(o[name], o[via])
			}
		}
	}
	for name, below := range o {
		if below[name] {
			return fmt.Errorf("%s stands below itself", name)
		}
	}
	return nil
}

func splitNames(side string) []string {
	return strings.FieldsFunc(side, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' || r == '\t' })
}

// place is the package or pattern of the order that covers pkg: the longest one, "" for none.
func (o order) place(pkg string) string {
	if o[pkg] != nil {
		return pkg
	}
	for dir := path.Dir(pkg); dir != "."; dir = path.Dir(dir) {
		if o[dir+"/*"] != nil {
			return dir + "/*"
		}
	}
	return ""
}

// check says what is wrong with the imports of pkg, both relative to the module.
func (o order) check(pkg string, imports []string) []string {
	place := o.place(pkg)
	if place == "" {
		return []string{fmt.Sprintf("%s has no place in order.txt", pkg)}
	}
	var wrong []string
	for _, imported := range imports {
		if !o[place][o.place(imported)] {
			wrong = append(wrong, fmt.Sprintf("%s imports %s, which is not below it in order.txt", pkg, imported))
		}
	}
	return slices.Sorted(slices.Values(wrong))
}
