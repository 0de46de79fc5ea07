import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "./icon";

interface DialogProps {
  title: string;
  /** The title is for screen readers only. */
  bare?: boolean;
  onClose: () => void;
  class?: string;
  children: ComponentChildren;
}

/** A Dialog is the browser's: it keeps the focus, and Esc or a click beside it closes it. */
export function Dialog({ title, bare = false, onClose, class: name = "", children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  const beside = (e: JSX.TargetedMouseEvent<HTMLDialogElement>) => e.target === e.currentTarget && e.currentTarget.close();
  return (
    <dialog ref={element} class={name} aria-label={title} onClose={onClose} onClick={beside}>
      {!bare && (
        <header>
          <h2 class="clamp" title={title}>
            {title}
          </h2>
          <button type="button" class="icon-button" aria-label="Close" onClick={() => element.current?.close()}>
            <Icon name="close" />
          </button>
        </header>
      )}
      {children}
    </dialog>
  );
}
