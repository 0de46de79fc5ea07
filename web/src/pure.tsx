import { Component, isValidElement, type ComponentType } from "preact";

/** pure is a component that is drawn anew only if one of its properties is another one, or looks different. */
export function pure<P extends object>(View: ComponentType<P>): ComponentType<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      return !same(this.props, next);
    }

    override render() {
      return <View {...(this.props as P)} />;
    }
  };
}

function same(a: object, b: object): boolean {
  const [old, now] = [a as Record<string, unknown>, b as Record<string, unknown>];
  for (const k in now) if (!alike(old[k], now[k])) return false;
  for (const k in old) if (!(k in now)) return false;
  return true;
}

/** keep is an element as it was, if it still looks the same: what is the same object is not even compared with the page. */
export const keep = <T,>(old: T | undefined, now: T): T => (old !== undefined && alike(old, now) ? old : now);

/** alike says that two values look the same: elements and lists do if all in them does. */
function alike(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((x, i) => alike(x, b[i]));
  return isValidElement(a) && isValidElement(b) && a.type === b.type && a.key === b.key && same(a.props, b.props);
}
