import { useRef } from "preact/hooks";
import { serverNow } from "../store";
import { put, usePaint } from "./board";
import type { Operator } from "./model";

/** longest is the time that a picture of a flow shows at most, in milliseconds. */
const longest = 120_000;

/** fewest points make a picture. */
const fewest = 5;

interface Props {
  operator: Operator;
  width: number;
  height: number;
  seen: boolean;
}

/** A Flow is the way that the records a second of an operator have gone since somebody looks. The number itself stands below it. */
export function Flow({ operator, width, height, seen }: Props) {
  const svg = useRef<SVGSVGElement>(null);
  const points = useRef<Point[]>([]);
  usePaint(
    null,
    (now) => {
      const [at, flow] = [serverNow(), now.flow(operator)];
      if (flow === undefined) return;
      if (points.current.at(-1)?.at !== at) points.current = [...points.current.filter((p) => p.at > at - longest), { at, flow }];
      if (!seen || points.current.length < fewest) return;
      const line = lineOf(points.current, width, height);
      const [area, stroke] = svg.current!.children;
      put(area, "d", `${line}V${height}H0Z`);
      put(stroke, "d", line);
    },
    [operator, width, height, seen],
  );
  return (
    <svg ref={svg} class="way" width={width} height={height} aria-hidden="true">
      <path class="area" />
      <path class="line" />
    </svg>
  );
}

interface Point {
  at: number;
  flow: number;
}

/** lineOf is as wide as there is room, however long the time is. */
function lineOf(points: Point[], width: number, height: number): string {
  const top = Math.max(1, ...points.map((p) => p.flow));
  const [first, last] = [points[0].at, points.at(-1)!.at];
  const x = (p: Point) => ((p.at - first) / (last - first)) * width;
  const y = (p: Point) => height - (p.flow / top) * (height - 2);
  return `M${points.map((p) => `${x(p).toFixed(1)} ${y(p).toFixed(1)}`).join("L")}`;
}
