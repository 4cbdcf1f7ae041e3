import type { ComponentType } from "react";
import type { Moment } from "./when-to-hydrate.client.ts";

interface IslandProps<Props extends object> {
  /** The default export of an island's module. */
  of: ComponentType<Props>;
  /** That module's path under `app/`, without its ending: `pdf/export-button` for `app/pdf/export-button.island.tsx`. */
  name: string;
  /** The component's props. They are sent as JSON: no functions, no dates. */
  props: Props;
  /** When the browser hydrates it. */
  when: Moment;
}

/**
 * A component that works as plain HTML and gains from React in the browser. It is rendered here, inside an element
 * that says which island it is; `runtime.client.ts` finds that element. Attributes rather than a script carry the
 * props, so the page needs no inline script.
 */
export function Island<Props extends object>({ of: Component, name, props, when }: IslandProps<Props>) {
  return (
    <div data-island={name} data-when={when} data-props={JSON.stringify(props)}>
      <Component {...props} />
    </div>
  );
}
