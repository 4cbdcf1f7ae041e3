import type { ComponentType } from "react";
import type { Moment } from "./when-to-hydrate.client.ts";

interface IslandProps<Props extends object> {
  /** The default export of an island's module. */
  of: ComponentType<Props>;
  /** That module's path under `app/`, without the suffix: `pdf/export-button` for `app/pdf/export-button.island.tsx`. */
  name: string;
  /** The component's props. They are sent as JSON: no functions, no dates. */
  props: Props;
  when: Moment;
}

/**
 * Renders a component that works as plain HTML and is hydrated by React in the browser. `runtime.client.ts` finds its
 * element. The props are in an attribute, so the page needs no inline script for them.
 */
export function Island<Props extends object>({ of: Component, name, props, when }: IslandProps<Props>) {
  return (
    <div data-island={name} data-when={when} data-props={JSON.stringify(props)}>
      <Component {...props} />
    </div>
  );
}
