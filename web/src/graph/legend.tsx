import { Icon } from "../ui";
import { hasRibbon } from "./layout/channels";
import type { Layout } from "./layout/layout";
import { blocks } from "./model";

interface Props {
  layout: Layout;
  layer: number;
  still: boolean; // there are no records, nor a load
  hot: boolean; // there is a bottleneck
}

/** The Legend says what the lines of a picture are. It is for the eyes: to others the names of the buttons say it. */
export function Legend({ layout, layer, still, hot }: Props) {
  const ribbons = layout.edges.some((p) => hasRibbon(p.edge));
  return (
    <div class="lines-legend" aria-hidden="true">
      {layer < 3 && (
        <>
          {!still && (
            <>
              <span>
                <svg width="30" height="10"><path d="M0 4.5L28 1v8L0 5.5z" fill="var(--edge)" /></svg>
                wider: more records/s
              </span>
              <span>{stroke("bp")}blocked: the receiver has no room</span>
            </>
          )}
          {layout.edges.some((p) => blocks(p.edge)) && (
            <span>
              <svg width="22" height="12"><path d="M0 6h12M14 1v10M18 1v10" stroke="var(--edge)" stroke-width="1.5" /></svg>
              blocking: all of it first
            </span>
          )}
          {layout.joints.size > 0 && <span><Icon name="link" size={13} />{layer === 1 ? "chained" : "chained: a function call"}</span>}
          {layer === 1 && <span><Icon name="cut" size={13} />not chained, and why</span>}
        </>
      )}
      {layer === 3 && (
        <>
          <span>{stroke("edge")}channel</span>
          {hot && <span>{stroke("bp")}to the bottleneck</span>}
        </>
      )}
      {layer === 4 && (
        <>
          <span>{stroke("remote")}remote, TCP with credit</span>
          <span>{stroke("local")}local, block handed over</span>
        </>
      )}
      {layer > 2 && ribbons && <span><svg width="22" height="10"><path d="M0 0h20v10H0z" fill="var(--edge)" opacity="0.35" /></svg>too many channels to draw</span>}
      {layer > 2 && <span>point at a subtask to see its channels</span>}
      {layer > 2 && !still && <span class="numbers">number: records/s</span>}
    </div>
  );
}

const stroke = (color: string) => (
  <svg width="22" height="10">
    <path d="M0 5h20" stroke={`var(--${color})`} stroke-width="2" />
  </svg>
);
