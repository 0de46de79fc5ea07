import { useRef } from "preact/hooks";
import { percent, rate } from "../fmt";
import { pure } from "../pure";
import { Letter, hue } from "../ui";
import { usePaint, write } from "./board";
import { describe } from "./describe";
import { Flow } from "./flow";
import type { ChainPlace, Layout } from "./layout/layout";
import type { OperatorPlace } from "./layout/cards";
import type { Operator } from "./model";
import type { Numbers } from "./numbers";
import { pickVertex } from "./picked";
import { operatorKey } from "./stops";
import { at, barsOf, setBars } from "./style";

interface Props {
  layout: Layout;
  place: ChainPlace;
  layer: number;
  picked: boolean;
  hot: boolean;
  seen: boolean;
}

/** A Hull is the box of a chain, behind what is in it. */
export const Hull = pure(({ place, picked, hot }: Omit<Props, "layout" | "layer" | "seen">) => {
  const element = useRef<HTMLDivElement>(null);
  const { chain, box } = place;
  usePaint(chain, (now) => (element.current!.dataset.state = now.overall(chain) ?? ""), []);
  const pick = () => pickVertex(chain.id);
  return <div ref={element} class={`hull ${picked ? "picked" : ""} ${hot ? "hot" : ""}`} style={at(box)} onClick={pick} />;
});

/** A Head is the name of a chain: on its box, and in layer 4 above its column. */
export const Head = pure(({ layout, place, layer }: Omit<Props, "picked" | "hot" | "seen">) => {
  const { chain, box } = place;
  const head = layer === 4 ? layout.places.heads[chain.index] : { ...box, h: 28 };
  const shared = layout.model.chains.some((c) => c.group !== chain.group);
  return (
    <div class="head" style={at(head)} aria-hidden="true">
      <Letter index={chain.key} />
      <b class="ellipsis grow" title={chain.name}>
        {chain.name}
      </b>
      {shared && layer === 2 && <span class="group ellipsis" title={`Slot sharing group ${chain.group}`}>{chain.group}</span>}
      <span class="quiet">×{chain.parallelism}</span>
    </div>
  );
});

/** Cards is the operators of a chain: cards in layers 1 and 2, lines in layer 3. */
export const Cards = pure(({ layout, place, layer, picked, hot, seen }: Props) => (
  <>
    {place.chain.operators.map((o) => (
      <Card
        key={o.id}
        operator={o}
        place={layout.operators.get(o.id)!}
        layer={layer}
        picked={picked && layer === 1}
        hot={hot && layer === 1 && o.place === 0}
        seen={seen && layer < 4}
      />
    ))}
  </>
));

/** mostBeside is how many letters the name of an operator and its line in the program have in one row. */
const mostBeside = 25;

/** mostAbout is how many letters there are in the row below. */
const mostAbout = 36;

interface CardProps {
  operator: Operator;
  place: OperatorPlace;
  layer: number;
  picked: boolean;
  hot: boolean;
  seen: boolean;
}

function Card({ operator, place, layer, picked, hot, seen }: CardProps) {
  const element = useRef<HTMLButtonElement>(null);
  const { chain, node, name } = operator;
  const face = seen && layer < 3;
  usePaint(chain, (now) => seen && paintState(element.current!, operator, now), [operator, seen]);
  usePaint(null, (now) => face && paintFace(element.current!, operator, now), [operator, face]);
  const box = layer < 3 ? place.card : place.line;
  const site = layer === 1 ? (node?.declaredAt ?? "") : "";
  const declared = site && <span class="declared">{site}</span>;
  const short = name.length + site.length <= mostBeside;
  const about = node ? describe(node, mostAbout - (short ? 0 : site.length)) : "";
  const tall = place.card.h - 104;
  const facts = factsOf(operator);
  const room = tall - 17 * facts.length;
  return (
    <button
      ref={element}
      type="button"
      class={`operator ${picked ? "picked" : ""} ${hot ? "hot" : ""}`}
      style={{ ...at(box), ...hue(chain.key) }}
      tabIndex={-1}
      data-key={operatorKey(operator.id)}
      onClick={() => pickVertex(chain.id)}
    >
      <span class="face">
        <span class="row">
          <b class="ellipsis grow" title={name}>{name}</b>
          {short && declared}
          {layer === 1 && <span class="times">×{chain.parallelism}</span>}
        </span>
        <span class="row">
          <span class="about ellipsis grow" title={about}>
            {about}
          </span>
          {!short && declared}
        </span>
        {tall > 0 && (
          <span class="facts">
            {facts.map((f) => (
              <span key={f} class="ellipsis">
                {f}
              </span>
            ))}
          </span>
        )}
        {room > 20 && <Flow operator={operator} width={place.card.w - 24} height={Math.min(72, room)} seen={face} />}
        <span class="now">
          <span class="flow num" />
          {operator.place === 0 && barsOf("busiest")}
          {operator.place === 0 && <span class="percent num" />}
          {operator.place === 0 && <span class="hidden">busy in the busiest subtask</span>}
        </span>
      </span>
      <span class="title">
        <span class="ellipsis grow">{name}</span>
        <span class="quiet">{node?.kind}</span>
      </span>
    </button>
  );
}

/** factsOf fill a card that is tall because its chain has many subtasks; what is left of it shows the flow. */
const factsOf = ({ node }: Operator): string[] =>
  node ? [node.uid && `uid ${node.uid}`, node.slotSharingGroup !== "default" && `slot sharing group ${node.slotSharingGroup}`].filter((f) => typeof f === "string") : [];

/** paintState shows how an operator fares, in all layers. */
function paintState(e: HTMLElement, o: Operator, now: Numbers): void {
  const state = now.overall(o.chain) ?? "";
  if (e.dataset.state !== state) e.dataset.state = state;
}

/** paintFace shows, where it is a card, how many records an operator has a second, or if it does not run, why. */
function paintFace(e: HTMLElement, o: Operator, now: Numbers): void {
  const flow = now.flow(o);
  const load = now.busiest(o.chain);
  const state = now.overall(o.chain) ?? "";
  write(e.querySelector(".flow"), state !== "" && state !== "RUNNING" ? now.said(o.chain) : flow === undefined ? "" : rate(flow));
  if (o.place > 0) return;
  const bars = e.querySelector<HTMLElement>(".bars")!;
  setBars(bars, Math.round((load?.busy ?? 0) / 10), Math.round((load?.bp ?? 0) / 10));
  write(e.querySelector(".percent"), percent(load && load.busy / 1000));
}
