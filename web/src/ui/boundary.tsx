import { Component, type ComponentChildren } from "preact";

/** A Boundary keeps a fault of the page in the part where it is. */
export class Boundary extends Component<{ children: ComponentChildren }, { error?: Error }> {
  override state: { error?: Error } = {};

  static override getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidCatch(error: unknown): void {
    console.error(error);
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <div class="empty" role="alert">
        <p class="strong">This part of the page has a fault</p>
        <p class="why">{error.message}</p>
        <button type="button" class="button" onClick={() => this.setState({ error: undefined })}>
          Show it again
        </button>
      </div>
    );
  }
}
