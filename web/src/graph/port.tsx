import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Diagnosis } from "../api";
import { type Key, useKeys } from "../keys";
import { Icon } from "../ui";
import type { Layout } from "./layout/layout";
import type { Mark } from "./layout/marks";
import type { Box } from "./layout/sizes";
import { Legend } from "./legend";
import { type Picked, pickNothing, pickVertex } from "./picked";
import { type Direction, next, stopsOf } from "./stops";
import { markAt } from "./tasks";
import { type Sight, sightOf } from "./sight";
import { farBelow, fit, phone, reveal, type View, zoom } from "./view";
import { standsStill, World } from "./world";

interface Props {
  layout: Layout;
  layer: number;
  picked: Picked;
  diagnosis: Diagnosis | undefined;
  still: boolean;
}

/** A Port is the window through which the picture is seen: it is dragged, made larger, and walked through by keys. */
export function Port({ layout, layer, picked, diagnosis, still }: Props) {
  const port = useRef<HTMLDivElement>(null);
  const world = useRef<HTMLDivElement>(null);
  const [over, setOver] = useState<Mark | null>(null);
  const [sight, setSight] = useState<Sight>({ near: new Set(), seen: new Set(), far: false });
  const tasksToo = useRef(false);
  tasksToo.current ||= layer > 2;
  const eye = useEye(port, world, (view) => setSight((was) => sightOf(layout, layer, view, windowOf(port.current!), was)));
  const opened = picked.vertex !== undefined || picked.edge !== undefined;
  const show = (moving: boolean) => {
    const narrow = port.current!.clientWidth < phone;
    const legible = narrow ? 0.62 : opened ? 0.8 : 0.55;
    const bounds = layer === 4 ? layout.bounds.places : layout.bounds.boxes;
    eye.look(fit(bounds, windowOf(port.current!), mattersOf(layout, layer, picked, diagnosis), legible), moving);
  };
  useLayoutEffect(() => show(false), [layout, opened]);
  useEffect(() => show(true), [layer]);
  useEffect(() => {
    const observer = new ResizeObserver(() => show(false));
    observer.observe(port.current!);
    return () => observer.disconnect();
  }, [layout, layer, opened]);
  useStops(world, layout, layer, (box) => eye.look(reveal(eye.view(), box, windowOf(port.current!)), true));
  useKeys("Graph", [
    { key: "+", does: "larger, smaller", run: () => eye.zoom(1.2) },
    { key: "=", does: "", run: () => eye.zoom(1.2) },
    { key: "-", does: "larger, smaller", run: () => eye.zoom(1 / 1.2) },
    { key: "0", does: "all of the graph", run: () => show(true) },
  ]);
  const pointed = (e: MouseEvent): Mark | null => {
    if (layer < 3 || (e.target as Element).closest("button, a")) return null;
    const { x, y } = eye.inWorld(e);
    return markAt(layout, layer, x, y);
  };
  return (
    <div
      ref={port}
      class="port"
      onPointerMove={(e) => {
        const mark = pointed(e);
        if (mark || (over && over.subtasks.length > 1)) setOver(mark);
      }}
      onClickCapture={(e) => {
        const mark = pointed(e);
        if (!mark) return;
        e.stopPropagation();
        pickVertex(mark.chain.id, mark.subtasks[0]);
      }}
      {...eye.handlers}
    >
      <div ref={world} class={`world layer-${layer} ${standsStill(diagnosis) ? "stands" : ""}`} role="group" aria-label="Graph of the job. Arrow keys lead along the data.">
        <World layout={layout} layer={layer} picked={picked} diagnosis={diagnosis} sight={sight} tasksToo={tasksToo.current} over={over} onOver={setOver} />
      </div>
      <Legend layout={layout} layer={layer} still={still} hot={diagnosis?.bottleneck != null} />
      <div class="zoom" role="group" aria-label="Size of the graph">
        <button type="button" class="icon-button" aria-label="Smaller" title="Smaller (-)" onClick={() => eye.zoom(1 / 1.2)}>
          <Icon name="minus" />
        </button>
        <button type="button" class="icon-button" aria-label="All of it" title="All of it (0)" onClick={() => show(true)}>
          <Icon name="fit" />
        </button>
        <button type="button" class="icon-button" aria-label="Larger" title="Larger (+)" onClick={() => eye.zoom(1.2)}>
          <Icon name="plus" />
        </button>
      </div>
    </div>
  );
}

const windowOf = (e: HTMLElement) => ({ w: e.clientWidth, h: e.clientHeight });

/** mattersOf is what is to be seen when there is no room for all: what is looked at, the bottleneck, or the first source. */
function mattersOf(l: Layout, layer: number, picked: Picked, diagnosis: Diagnosis | undefined): Box | null {
  const edge = l.edges.find((e) => e.edge.id === picked.edge);
  const vertex = picked.vertex ?? edge?.edge.to.chain.id ?? diagnosis?.bottleneck?.vertex;
  const place = l.chains.find((c) => c.chain.id === vertex) ?? l.chains[0];
  if (!place) return null;
  return layer === 4 ? l.places.heads[place.chain.index] : place.box;
}

/** useEye is the view. It moves the world by itself: moving draws no component. */
function useEye(port: { current: HTMLDivElement | null }, world: { current: HTMLDivElement | null }, moved: (v: View) => void) {
  const view = useRef<View>({ x: 0, y: 0, k: 1 });
  const drag = useRef<{ x: number; y: number; far: boolean } | null>(null);
  const look = (v: View, moving: boolean): void => {
    view.current = v;
    const { style, classList } = world.current!;
    classList.toggle("moving", moving);
    classList.toggle("far", v.k < farBelow);
    style.transform = `translate(${v.x}px, ${v.y}px) scale(${v.k})`;
    moved(v);
  };
  const zoomAt = (factor: number, at?: { x: number; y: number }): void => {
    const p = port.current!;
    look(zoom(view.current, factor, at ?? { x: p.clientWidth / 2, y: p.clientHeight / 2 }), at === undefined);
  };
  const inPort = (e: { clientX: number; clientY: number }) => {
    const { left, top } = port.current!.getBoundingClientRect();
    return { x: e.clientX - left, y: e.clientY - top };
  };
  useEffect(() => {
    // Preact listens passively to wheels, and this one must not scroll the page.
    const wheel = (e: WheelEvent) => {
      e.preventDefault();
      zoomAt(Math.exp(-e.deltaY * (e.ctrlKey ? 0.01 : 0.0015)), inPort(e));
    };
    const p = port.current!;
    p.addEventListener("wheel", wheel, { passive: false });
    return () => p.removeEventListener("wheel", wheel);
  }, []);
  return {
    look,
    zoom: zoomAt,
    view: () => view.current,
    inWorld: (e: MouseEvent) => {
      const { x, y } = inPort(e);
      const v = view.current;
      return { x: (x - v.x) / v.k, y: (y - v.y) / v.k };
    },
    handlers: {
      onPointerDown: (e: PointerEvent) => {
        if (e.button !== 0 || (e.target as Element).closest("button, a")) return;
        drag.current = { x: e.clientX, y: e.clientY, far: false };
      },
      onPointerMoveCapture: (e: PointerEvent) => {
        const d = drag.current;
        if (!d || !(e.buttons & 1)) return;
        const [dx, dy] = [e.clientX - d.x, e.clientY - d.y];
        if (!d.far && Math.hypot(dx, dy) < 4) return;
        if (!d.far) port.current!.setPointerCapture(e.pointerId);
        drag.current = { x: e.clientX, y: e.clientY, far: true };
        look({ ...view.current, x: view.current.x + dx, y: view.current.y + dy }, false);
      },
      onClick: (e: MouseEvent) => {
        const dragged = drag.current?.far;
        drag.current = null;
        if (!dragged && !(e.target as Element).closest("button, a, .hull")) pickNothing();
      },
    },
  };
}

/** useStops makes the picture one stop of the Tab key, in which arrows lead on. */
function useStops(world: { current: HTMLDivElement | null }, layout: Layout, layer: number, show: (box: Box) => void): void {
  useEffect(() => {
    const first = stopsOf(layout, layer)[0];
    const old = world.current!.querySelector('[tabindex="0"]');
    old?.setAttribute("tabindex", "-1");
    if (first) world.current!.querySelector(`[data-key="${first.key}"]`)?.setAttribute("tabindex", "0");
  }, [layout, layer]);
  const walk = (to: Direction): void => {
    const focused = document.activeElement;
    const from = world.current!.contains(focused) ? (focused as HTMLElement).dataset.key : undefined;
    const stop = next(stopsOf(layout, layer), from, to);
    const element = stop && world.current!.querySelector<HTMLElement>(`[data-key="${stop.key}"]`);
    if (!element) return;
    world.current!.querySelector('[tabindex="0"]')?.setAttribute("tabindex", "-1");
    element.setAttribute("tabindex", "0");
    element.focus({ preventScroll: true });
    show(stop.box);
  };
  /** Who is at something else, such as the panel, has arrows for that. */
  const here = (): boolean => [document.body, document.getElementById("main")].includes(document.activeElement as HTMLElement) || world.current!.contains(document.activeElement);
  const arrow = (key: Direction): Key => ({ key, does: "go along the data, or in the column; Enter opens", run: () => walk(key), when: here });
  useKeys("Graph", [arrow("ArrowRight"), arrow("ArrowLeft"), arrow("ArrowDown"), arrow("ArrowUp")]);
}
