import { Icon } from "../ui";

/** The Legend says what the lines are. It is for the eyes: to others the names of the buttons say it. */
export function Legend({ layer }: { layer: number }) {
  return (
    <div class="lines-legend" aria-hidden="true">
      {layer < 3 && (
        <>
          <span>
            <svg width="30" height="10"><path d="M0 4.5L28 1v8L0 5.5z" fill="var(--edge)" /></svg>
            wider: more records/s
          </span>
          <span>{stroke("bp")}blocked: the receiver has no room</span>
          <span><Icon name="link" size={13} />chained</span>
          <span><Icon name="cut" size={13} />not chained, and why</span>
        </>
      )}
      {layer === 3 && (
        <>
          <span>{stroke("edge")}channel</span>
          <span>{stroke("bp")}to the bottleneck</span>
          <span>point at a subtask to see its channels</span>
        </>
      )}
      {layer === 4 && (
        <>
          <span>{stroke("remote")}remote, TCP with credit</span>
          <span>{stroke("local")}local, block handed over</span>
        </>
      )}
    </div>
  );
}

const stroke = (color: string) => (
  <svg width="22" height="10">
    <path d="M0 5h20" stroke={`var(--${color})`} stroke-width="2" />
  </svg>
);
