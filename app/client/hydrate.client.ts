import { Component, type ComponentType, createElement, type ReactNode } from "react";
import { hydrateRoot } from "react-dom/client";

/** What a `*.island.tsx` exports. Its props are whatever its page gave `Island`. */
export interface IslandModule {
  default: ComponentType<Record<string, unknown>>;
}

type Fail = (error: unknown) => void;

/** Hydrates one island. Resolves when it answers clicks, or has failed and shows the server's HTML again. */
export function hydrate(island: HTMLElement, { default: Island }: IslandModule, fail: Fail): Promise<void> {
  const html = island.innerHTML;
  const props = JSON.parse(island.dataset.props ?? "{}");
  return new Promise((ready) => {
    hydrateRoot(island, createElement(Shore, { html, ready, fail }, createElement(Island, props)));
  });
}

interface ShoreProps {
  html: string;
  ready: () => void;
  fail: Fail;
  children?: ReactNode;
}

/** Where an island's errors end: the server's HTML comes back in its place, which works without script. */
class Shore extends Component<ShoreProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidMount() {
    this.props.ready();
  }

  override componentDidCatch(error: unknown) {
    this.props.fail(error);
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    // biome-ignore lint/security/noDangerouslySetInnerHtml: it is what the server made and the page already showed
    return createElement("div", { dangerouslySetInnerHTML: { __html: this.props.html } });
  }
}
