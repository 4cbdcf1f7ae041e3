/** The class of the link whose page is prefetched. */
export const PREFETCH_CLASS = "soon";

/**
 * The speculation rule of signed-in pages: prefetch the header link that has the class. Its text is the same on every
 * page, because the content security policy allows it by its hash.
 */
export const TAB_RULE = JSON.stringify({
  prefetch: [{ where: { selector_matches: `.top nav a.${PREFETCH_CLASS}` }, eagerness: "immediate" }],
});
