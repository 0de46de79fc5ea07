import { Component, type ComponentChildren } from "preact";

interface BoundaryProps {
  /** It is round a whole page, which needs a heading. */
  page?: boolean;
  children: ComponentChildren;
}

/** A Boundary keeps a fault of the page in the part where it is. */
export class Boundary extends Component<BoundaryProps, { error?: Error }> {
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
    const Title = this.props.page ? "h1" : "p";
    return (
      <div class="empty" role="alert">
        <Title class="strong">This part of the page has a fault</Title>
        <p class="why">{error.message}</p>
        <button type="button" class="button" onClick={() => this.setState({ error: undefined })}>
          Show it again
        </button>
      </div>
    );
  }
}
