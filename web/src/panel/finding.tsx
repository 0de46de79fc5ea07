import type { Finding } from "../api";

/** FindingText is the server's sentences of one finding: what is wrong, the figures that it rests on, and what can be done. */
export const FindingText = ({ of }: { of: Finding }) => (
  <>
    <p class="clamp" title={of.detail}>
      <b>{arrows(of.head)}.</b> {arrows(of.detail)}
    </p>
    {of.advice && <p class="small secondary">{arrows(of.advice)}</p>}
  </>
);

/** arrows writes names of vertices so that a line does not break inside of an arrow. */
const arrows = (text: string): string => text.replaceAll(" -> ", " → ");
