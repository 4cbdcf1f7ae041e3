import { Component, type ComponentType, createElement, type ReactNode } from "react";
import { hydrateRoot } from "react-dom/client";
import { keepTranslated } from "./translated.client.ts";

/** The module of an island. Its component gets the props that the page passed to `Island`. */
export interface IslandModule {
  default: ComponentType<Record<string, unknown>>;
}

type Fail = (error: unknown) => void;

/** Hydrates one island. Resolves when it is interactive, or has failed and shows the server's HTML again. */
export function hydrate(island: HTMLElement, { default: Island }: IslandModule, fail: Fail): Promise<void> {
  const html = island.innerHTML;
  const props = JSON.parse(island.dataset.props ?? "{}");
  const restoreTyped = keepTranslated(island);
  return new Promise<void>((ready) => {
    hydrateRoot(island, createElement(IslandErrorBoundary, { html, ready, fail }, createElement(Island, props)));
  }).then(restoreTyped);
}

interface IslandErrorBoundaryProps {
  html: string;
  ready: () => void;
  fail: Fail;
  children?: ReactNode;
}

/** The error boundary of one island: after an error it shows the server's HTML, which works without script. */
class IslandErrorBoundary extends Component<IslandErrorBoundaryProps, { failed: boolean }> {
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
    // biome-ignore lint/security/noDangerouslySetInnerHtml: the server rendered it, and the page has already shown it
    return createElement("div", { dangerouslySetInnerHTML: { __html: this.props.html } });
  }
}
