import { Failure } from "#app/ui/failure.tsx";
import { EndedScreen } from "./ended-screen.tsx";
import { VerifyOne } from "./verify-one.tsx";
import type { VerifyScreenProps } from "./verify-screen-props.ts";
import { VerifySeveral } from "./verify-several.tsx";

/** The page of a verification link: what is asked, one field and one button; or why the link cannot be used. */
export function VerifyScreen(props: VerifyScreenProps) {
  const { link } = props;
  if (link.state !== "open") return <EndedScreen {...props} />;
  if (link.isSeveral) return <VerifySeveral {...props} />;
  const [item] = link.items;
  // The server always sends the record; without it there is nothing to confirm (spec section 8).
  if (!item) return <Failure title="Invalid Data Format" text="This link's record could not be read." />;
  return <VerifyOne {...props} item={item} />;
}
