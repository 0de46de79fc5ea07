package diagnose

import (
	"fmt"
	"slices"
)

// # The bottleneck
//
// Who is back-pressured waits for somebody further downstream. So from each source the rule follows the edges for as long as vertices
// are back-pressured, and the first one on the way that is not, and is busy, is the one that all those wait for. If no source is back-pressured,
// there is no bottleneck, however busy vertices are: the job keeps up. A vertex counts as its worst subtask does, as one that is
// slow is enough to hold all up.
//
// It is quickly seen and slowly let go. Who passes the thresholds in a glimpse is the bottleneck at once, as is one who passes them over
// the window. What a vertex was said to be it stays until it is clearly not any more (slack), and what was named stays for ten seconds at
// least, and until no glimpse has shown it for as long. So in a minute there are at most a dozen changes, whatever tasks do.

const (
	pressedFrom = 0.5
	busyFrom    = 0.8
	slack       = 0.1
)

// A jam is what came of it.
type jam struct {
	at      *Place // nil: there is none, or it is not known
	path    []int  // to there
	finding *Finding
	named   int64 // when that vertex was found
	seen    int64 // when a glimpse last showed it
	dealt   dealing
}

// stays is how long who was named stays so. Milliseconds.
const stays = 10_000

// jammed is who holds up the job now.
func (j *Job) jammed(o *Observation) jam {
	steady, lately := j.walk(o, window), j.walk(o, glimpse)
	switch {
	case j.names(o, lately.found):
		w := lately
		if steady.found == lately.found { // which rests on more
			w = steady
		}
		now := j.name(o, w)
		now.seen = o.At
		return now
	case j.names(o, steady.found):
		return j.name(o, steady)
	case j.lasts(o):
		return j.jam
	case len(steady.reached) > 0 || steady.dark != nil:
		return jam{finding: steady.notKnown(o)}
	}
	return jam{}
}

// names says that a vertex that was found is to be named: not yet, if another one was a moment ago.
func (j *Job) names(o *Observation, found int) bool {
	return found != nowhere && (j.jam.at == nil || j.was(found) || !within(stays, j.jam.named, o.At))
}

// name is the jam that a walk found.
func (j *Job) name(o *Observation, w *walk) jam {
	at := Place{w.found, w.loads[w.found].busiest}
	now := jam{at: &at, path: w.path(at.Vertex), named: o.At, seen: o.At, dealt: j.dealt(o, &w.loads[at.Vertex], at)}
	if j.was(at.Vertex) {
		now.named, now.seen = j.jam.named, j.jam.seen
	}
	now.finding = j.cause(o, w, &now)
	return now
}

// lasts says that who was named before still is, though nothing says so just now.
func (j *Job) lasts(o *Observation) bool {
	return j.jam.at != nil && o.active(*j.jam.at) && within(stays, j.jam.seen, o.At)
}

// within says that it is less than a span since something. It never is of a clock that was set back.
func within(span, since, now int64) bool { return since <= now && now-since < span }

// A vertexLoad is the load of a vertex: of the tasks that run.
type vertexLoad struct {
	loads   []load // by subtask; of those that do not run: zero
	running int
	unknown int     // a subtask of which too little is known; Whole: there is none
	busiest int     // subtask
	pressed float64 // of the one that is back-pressured most
}

func (l *vertexLoad) busy() float64 { return l.loads[l.busiest].busy }

// cause is why all wait for the task that was found.
func (j *Job) cause(o *Observation, w *walk, found *jam) *Finding {
	at, path := *found.at, found.path
	t := j.of(o, at.Vertex, at.Subtask)
	switch {
	case t != nil && t.still() >= window && t.stuck():
		return w.unfinished(o, at, path, t)
	case found.dealt.uneven:
		return w.skewed(o, at, path)
	}
	return w.bottleneck(o, at, path)
}

// A walk goes from the sources along those that are back-pressured.
type walk struct {
	loads   []vertexLoad
	from    []int  // for each vertex the one that it was reached from; itself: a source that is back-pressured; -1: not reached
	reached []int  // those that are not back-pressured themselves, and run
	found   int    // the busiest of them that is busy enough; -1
	dark    *Place // a task on the way of which nothing is known
}

const nowhere = -1

// walk goes by the loads of the last span.
func (j *Job) walk(o *Observation, span int64) *walk {
	w := &walk{found: nowhere, from: make([]int, len(o.Vertices))}
	for v := range o.Vertices {
		l := j.loadOf(o, v, span)
		w.loads = append(w.loads, l)
		source := w.begins(&o.Vertices[v])
		w.from[v] = nowhere
		if source && j.pressed(w, v) {
			w.from[v] = v
		} else if !source {
			w.from[v] = w.origin(&o.Vertices[v], j.pressed)
		}
		switch {
		case l.running == 0 || w.from[v] == nowhere && !source:
		case l.unknown != Whole:
			w.dark = &Place{v, l.unknown}
		case j.pressed(w, v):
		case !source:
			w.reach(v, l.busy() >= limit(busyFrom, j.was(v)))
		}
	}
	return w
}

// begins says that a vertex is a source, or as good as one, as those before it are over.
func (w *walk) begins(at *Vertex) bool {
	return !slices.ContainsFunc(at.Inputs, func(in Input) bool { return w.loads[in.Producer].running > 0 })
}

// origin is where a vertex is reached from: of several, from the one that is back-pressured most.
func (w *walk) origin(at *Vertex, pressed func(*walk, int) bool) int {
	from := nowhere
	for _, in := range at.Inputs {
		p := in.Producer
		if w.from[p] != nowhere && pressed(w, p) && (from == nowhere || w.loads[p].pressed > w.loads[from].pressed) {
			from = p
		}
	}
	return from
}

func (w *walk) reach(v int, busy bool) {
	w.reached = append(w.reached, v)
	if busy && (w.found == nowhere || w.loads[v].busy() > w.loads[w.found].busy()) {
		w.found = v
	}
}

// path is the way to a vertex from a source.
func (w *walk) path(v int) []int {
	all := []int{v}
	for w.from[v] != v && w.from[v] != nowhere {
		v = w.from[v]
		all = append(all, v)
	}
	slices.Reverse(all)
	return all
}

// pressed says that a vertex is back-pressured: one that was stays so, and one that others waited for stays one that does not wait.
func (j *Job) pressed(w *walk, v int) bool {
	from := limit(pressedFrom, j.waited(v))
	if j.was(v) {
		from += slack
	}
	return w.loads[v].pressed >= from
}

// limit is a threshold, for what was above it before and for what was not.
func limit(from float64, was bool) float64 {
	if was {
		return from - slack
	}
	return from
}

// was says that a vertex was the bottleneck when it was looked at last.
func (j *Job) was(v int) bool { return j.jam.at != nil && j.jam.at.Vertex == v }

// waited says that a vertex waited for the bottleneck then.
func (j *Job) waited(v int) bool {
	return j.jam.at != nil && !j.was(v) && slices.Contains(j.jam.path, v)
}

func (j *Job) loadOf(o *Observation, v int, span int64) vertexLoad {
	tasks := o.Vertices[v].Tasks
	l := vertexLoad{loads: make([]load, len(tasks)), unknown: Whole}
	for i := range tasks {
		if tasks[i].Phase != Active {
			continue
		}
		l.running++
		t := j.of(o, v, i)
		if t == nil {
			l.unknown = i
			continue
		}
		var known bool
		if l.loads[i], known = t.load(span); !known {
			l.unknown = i
		}
		l.pressed = max(l.pressed, l.loads[i].backPressured)
		if l.loads[i].busy > l.busy() {
			l.busiest = i
		}
	}
	j.stick(&l, v)
	return l
}

// alike is how much less busy a subtask may be than the busiest, and still be named if it was before.
const alike = 0.1

// stick names the same subtask as before where several are nearly as busy. One with more records than the others stays the one for as
// long as it is busy at all.
func (j *Job) stick(l *vertexLoad, v int) {
	if !j.was(v) || j.jam.at.Subtask >= len(l.loads) {
		return
	}
	from := l.busy() - alike
	if j.jam.dealt.uneven {
		from = limit(busyFrom, true)
	}
	if before := j.jam.at.Subtask; l.loads[before].busy >= from {
		l.busiest = before
	}
}

func (w *walk) bottleneck(o *Observation, at Place, path []int) *Finding {
	l := &w.loads[at.Vertex]
	f := &Finding{
		Kind: Bottleneck, Level: Warn, Head: o.name(at.Vertex) + " is the bottleneck", Where: &at, Path: path,
		Detail:  fmt.Sprintf("%s. %s", l.work(at.Subtask), w.waiting(o, path)),
		Figures: w.figures(at, path),
	}
	f.Figures["parallelism"] = int64(l.running)
	switch {
	case l.alone(f, at.Subtask):
		f.Advice = "Its records cost more, or its TaskManager is slower than others: more parallelism will not help. The flame graph of the subtask shows where its time goes."
	case l.running >= o.Vertices[at.Vertex].MaxParallelism:
		f.Advice = "It has its highest parallelism already: make its work cheaper. The flame graph shows where its time goes."
	default:
		f.Advice = fmt.Sprintf("Raise its parallelism, which is %d, or make its work cheaper. The flame graph shows where its time goes.", l.running)
	}
	return f
}

// alone says whether a subtask is far busier than the others, and in the finding how busy those are.
func (l *vertexLoad) alone(f *Finding, subtask int) bool {
	if l.running < 2 {
		return false
	}
	others := l.others(subtask, func(l load) float64 { return l.busy })
	f.Figures["busyOthers"] = thousandths(others)
	if others < l.busy()/2 {
		f.Detail += fmt.Sprintf(" %s only %s busy, with about as many records.", l.siblings(), percent(others))
		return true
	}
	f.Detail += fmt.Sprintf(" %s %s busy.", l.siblings(), percent(others))
	return false
}

// figures are those of all findings about who holds others up.
func (w *walk) figures(at Place, path []int) map[string]int64 {
	l := w.loads[at.Vertex].loads[at.Subtask]
	return map[string]int64{"busy": thousandths(l.busy), "over": l.over, "backPressured": w.pressure(path)}
}

// work says how busy a subtask was: "Subtask 3 was 98 % busy in the last 10 s".
func (l *vertexLoad) work(subtask int) string {
	return fmt.Sprintf("Subtask %d was %s busy in the last %s", subtask, percent(l.loads[subtask].busy), duration(l.loads[subtask].over))
}

// siblings names the other subtasks, and begins to say what they were.
func (l *vertexLoad) siblings() string {
	if l.running == 2 {
		return "The other subtask was"
	}
	return "The other subtasks were on average"
}

// others is the average of the other subtasks that run.
func (l *vertexLoad) others(but int, of func(load) float64) (sum float64) {
	for i := range l.loads {
		if i != but {
			sum += of(l.loads[i])
		}
	}
	return sum / float64(max(1, l.running-1))
}

// pressure is how much of a second, in thousandths, who waits most for the end of a path does so.
func (w *walk) pressure(path []int) (most int64) {
	for _, v := range path[:len(path)-1] {
		most = max(most, thousandths(w.loads[v].pressed))
	}
	return most
}

// waiting is who waits for the end of a path, the nearest first.
func (w *walk) waiting(o *Observation, path []int) string {
	var all []string
	for _, v := range slices.Backward(path[:len(path)-1]) {
		all = append(all, fmt.Sprintf("%s %s", o.name(v), percent(w.loads[v].pressed)))
	}
	return "Back-pressured by it: " + list(all) + "."
}

// notKnown says why it cannot be told who holds the sources up.
func (w *walk) notKnown(o *Observation) *Finding {
	f := &Finding{Kind: Bottleneck, Level: Pending, Head: "Whether there is a bottleneck is not known"}
	if w.dark != nil {
		f.Where = w.dark
		f.Detail = fmt.Sprintf("Subtask %d of %s has not sent enough figures yet.", w.dark.Subtask, o.name(w.dark.Vertex))
		return f
	}
	most := slices.MaxFunc(w.reached, func(a, b int) int { return int(1000 * (w.loads[a].busy() - w.loads[b].busy())) })
	f.Path = w.path(most)
	source := f.Path[0]
	f.Figures = map[string]int64{"backPressured": thousandths(w.loads[source].pressed), "busy": thousandths(w.loads[most].busy())}
	f.Detail = fmt.Sprintf("%s is back-pressured %s of the time, but none that it waits for is busy: the busiest is %s, with %s.",
		o.name(source), percent(w.loads[source].pressed), o.name(most), percent(w.loads[most].busy()))
	f.Advice = "Records may come in bursts, or the network between the vertices may be slow."
	return f
}
