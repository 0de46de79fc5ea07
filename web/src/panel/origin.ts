/** Whose code a function is: that of the job (with its libraries), flott's, or Go's own. */
export type Origin = "user" | "flott" | "go";

const own = "github.com/flott-dev/flott";

/** What flott is built on: a program that uses one of these directly gets its frames counted as flott's. */
const below = ["golang.org/x/", "google.golang.org/", "go.uber.org/", "github.com/prometheus/", "github.com/google/pprof/", "github.com/klauspost/"];

/**
 * The first path elements of Go's own packages. Modules of other people have a dot there, and programs are called main. The compiler
 * calls the package _ where it makes a function of the runtime's anew, such as _.goready.func1.
 */
const standard = new Set(
  (
    "_ archive bufio bytes cmp compress container context crypto database debug embed encoding errors expvar flag fmt go " +
    "hash html image index internal io iter log maps math mime net os path plugin reflect regexp runtime slices sort " +
    "strconv strings structs sync syscall testing text time unicode unique unsafe vendor weak"
  ).split(" "),
);

/** originOf tells by a function's full name, such as `github.com/x/y.(*T).F` or `runtime.gopark`. */
export function originOf(name: string): Origin {
  const plain = withoutTypes(name);
  if (plain === own || plain.startsWith(own + ".") || (plain.startsWith(own + "/") && !plain.startsWith(own + "/examples/"))) {
    return "flott";
  }
  if (below.some((path) => plain.startsWith(path))) return "flott";
  const root = plain.includes("/") ? plain.slice(0, plain.indexOf("/")) : plain.slice(0, plain.indexOf("."));
  return standard.has(root) ? "go" : "user";
}

/** withoutTypes cuts the type arguments off, which have paths of their own. */
function withoutTypes(name: string): string {
  const at = name.indexOf("[");
  return at < 0 ? name : name.slice(0, at);
}

/** shortName is a function's name without the path of its package, and without types: `task.(*Task).Run`, `slices.SortFunc[…]`. */
export function shortName(name: string): string {
  const short = name.slice(withoutTypes(name).lastIndexOf("/") + 1);
  return short.replace(/\[.*\]/, "[…]");
}
