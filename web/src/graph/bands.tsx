import { count, memory } from "../fmt";
import { pure } from "../pure";
import { format } from "../route";
import type { Places } from "./layout/places";
import { at } from "./style";

/** Bands is the TaskManagers of layer 4, behind the tasks that they run. */
export const Bands = pure(({ places }: { places: Places }) => (
  <>
    {places.bands.map((b) => (
      <div key={b.id} class="band" style={at(b.box)}>
        <h2>
          {b.id === "" ? "No slot yet" : <a class="link" href={format(["task-manager", b.id])} tabIndex={-1}>{b.id}</a>}
          {b.manager && <span>{b.manager.host}</span>}
          {b.manager?.worker && b.manager.worker.pid > 0 && <Worker {...b.manager.worker} />}
          {!b.manager && b.id !== "" && <span>has no slot of this job any more</span>}
        </h2>
        {b.id !== "" &&
          b.slots.map((s) => (
            <div key={s.index} class="slot" style={at({ x: 0, y: s.y - b.box.y, w: b.box.w, h: s.h })}>
              slot {s.index}
            </div>
          ))}
      </div>
    ))}
  </>
));

function Worker({ pid, rss, cpu }: { pid: number; rss: number; cpu: number }) {
  return (
    <>
      <span>worker {pid}</span>
      <span class="num">{memory(rss)}</span>
      <span class="num">{count(cpu)} cores</span>
    </>
  );
}
