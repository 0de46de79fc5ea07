import { Component, type ComponentType } from "preact";

/** pure is a component that is drawn anew only if one of its properties is another one. */
export function pure<P extends object>(View: ComponentType<P>): ComponentType<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const [a, b] = [this.props as Record<string, unknown>, next as Record<string, unknown>];
      return Object.keys(b).some((k) => a[k] !== b[k]) || Object.keys(a).some((k) => !(k in b));
    }

    override render() {
      return <View {...(this.props as P)} />;
    }
  };
}
