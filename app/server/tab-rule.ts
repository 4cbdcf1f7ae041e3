/** Put on the one link that shall be fetched beforehand. */
export const SOON = "soon";

/**
 * The speculation rule that a signed-in page may put in: what script has marked in the header, and nothing else. Its
 * text is the same on every page, because the content security policy allows it by its hash.
 */
export const TAB_RULE = JSON.stringify({
  prefetch: [{ where: { selector_matches: `.top nav a.${SOON}` }, eagerness: "immediate" }],
});
