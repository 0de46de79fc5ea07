import type { ComponentChildren } from "preact";
import { Boundary, Icon } from "../ui";
import "./panel.css";

interface PanelProps {
  /** What it is, for who does not see it. */
  label: string;
  /** In front of the title. */
  mark?: ComponentChildren;
  title: string;
  note?: ComponentChildren;
  /** Below the title, which stays when the rest scrolls. */
  head?: ComponentChildren;
  onClose: () => void;
  children: ComponentChildren;
}

/** A Panel stands beside the graph, and over it where there is no room. */
export function Panel({ label, mark, title, note, head, onClose, children }: PanelProps) {
  return (
    <aside class="panel" aria-label={label}>
      <header>
        <div class="title">
          {mark}
          <div class="grow">
            <h2 class="clamp" title={title}>
              {title}
            </h2>
            {note && <p class="small secondary num">{note}</p>}
          </div>
          <button type="button" class="icon-button" aria-label="Close the panel" onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        {head}
      </header>
      <Boundary>{children}</Boundary>
    </aside>
  );
}
