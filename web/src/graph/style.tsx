import type { Box } from "./layout/sizes";

/** at is where a box is. Moves between layers are animated by the style sheet. */
export const at = (b: Box) => ({ transform: `translate(${b.x}px, ${b.y}px)`, width: b.w, height: b.h });

/** barsOf is the bar of a load: painters set how long its parts are. */
export const barsOf = (name: string) => <span class={`bars ${name}`} aria-hidden="true" />;

/** setBars sets them, in percent: two layers of the background, the back-pressured one behind the busy one. */
export function setBars(bars: HTMLElement, busy: number, bp: number): void {
  bars.style.backgroundSize = `${busy}% 100%, ${busy + bp}% 100%`;
}
