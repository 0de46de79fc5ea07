package resttest

import "regexp"

// A Difference is one between Flink and flott, with its reason. The first two are patterns: of names of recordings, and of what is found.
type Difference struct{ Recordings, Found, Reason string }

// has says that it is this difference.
func (d *Difference) has(r *Recording, found string) bool {
	return regexp.MustCompile("^("+d.Recordings+")$").MatchString(r.Name) && regexp.MustCompile("^("+d.Found+")$").MatchString(found)
}

// Differences is all that flott answers in another way than Flink.
var Differences = []Difference{
	{".*", `.*\.flott is more|\[\]\.origin is more`, "what Flink lacks stands in members of its own"},
	{".*", `cors "", want "\*"`, "pages of other sites may read what GET answers, and nothing else"},
	{"job_(jobmanager|taskmanager)_log_url|.*_(log|log_file|stdout|profiler_file)", `cors "\*", want ""`, "Flink leaves the header out of texts and these two, with no reason to see"},
	{"jar.*|err_jar.*", "status 404, want .*", "Java jars"},
	{"jobs_submit|err_submit.*", "status 404, want .*", "a plan that is a Java object"},
	{"job_coordinator_bad", "status 404, want 500", "a request that is a Java object"},
	{"job_resource_requirements_put.*", "status 500, want 400", "no requirements can be set, so that they are not read"},
	{"job_rescale_detail", "status 404, want 200", "only the Adaptive scheduler rescales; the other recordings are of the Default scheduler"},
	{"checkpoint_detail(_subtasks)?", "status 404, want 200", "no checkpoints yet"},
	{".*checkpoints(_after_rescale)?", `\.history\[\] is empty, .*|\.latest\..* is null, .*|\.summary\..* is string, want double`, "no checkpoints yet"},
	{"(checkpoint_trigger|savepoint|savepoint_dispose|job_stop)_status(_now)?", `\.operation\..*|\.operation is object, want null`, "no checkpoints yet: they fail at once"},
	{"vertex_jm_operator_metrics", `\[\] is empty, .*`, "enumerators have no metrics of their own yet"},
	{".*_profiler_file", `content type .*`, "Flink's profile is a page, flott's is for go tool pprof"},
	{"applications_overview", `.*\.jobs\.(CREATED|FAILED|CANCELED) is more`, "other jobs are there than when this was recorded"},
	{"vertex_flamegraph.*", `\.data(\.children\[\])* is empty, .*`, "stacks have other depths"},
	{"job_bad_savepoint|job_failing_created", `\.application-id is string, want null`, "every job is an application, also one that failed before it ran"},
	{".*accumulators.*|job_execution_result.*", `.*accumulators\[\] is empty, .*|.*\.seen is missing`, "no accumulators: programs count with metrics"},
}
