package diagnose

// wordsLast is for how long a finding that stays the same is said in the same words, with the same figures, so that who reads them,
// or is sent what changed, is not disturbed for a percent more or less. Milliseconds.
const wordsLast = 10_000

// steady takes over what was said before.
func (j *Job) steady(d Diagnosis, at int64) Diagnosis {
	same := 0
	for i := range d.Findings {
		f := &d.Findings[i]
		f.Since, f.said = at, at
		before := f.among(j.last.Findings)
		if before == nil {
			continue
		}
		same++
		f.Since = before.Since
		if f.Head == before.Head && within(wordsLast, before.said, at) && f.subtask() == before.subtask() {
			*f = *before
		}
	}
	d.Since = at
	if same == len(d.Findings) && same == len(j.last.Findings) && j.last.Since != 0 {
		d.Since = j.last.Since
	}
	return d
}

// among is the same finding among others, in whatever words; nil: it is not there.
func (f *Finding) among(others []Finding) *Finding {
	for i := range others {
		if o := &others[i]; o.Kind == f.Kind && o.Level == f.Level && o.vertex() == f.vertex() {
			return o
		}
	}
	return nil
}

func (f *Finding) vertex() int {
	if f.Where == nil {
		return Whole
	}
	return f.Where.Vertex
}

func (f *Finding) subtask() int {
	if f.Where == nil {
		return Whole
	}
	return f.Where.Subtask
}

// Changes is which findings of after have begun since before, and which of before have ended.
func Changes(before, after Diagnosis) (begun, ended []Finding) {
	return missing(after.Findings, before.Findings), missing(before.Findings, after.Findings)
}

// missing is those of some that are not among others.
func missing(some, others []Finding) (all []Finding) {
	for i := range some {
		if some[i].among(others) == nil {
			all = append(all, some[i])
		}
	}
	return all
}
