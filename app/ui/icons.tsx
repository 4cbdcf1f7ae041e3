/** The logo: a dial with a tick as its needle, in the colour of the text. */
export function Mark() {
  return (
    <svg
      className="mark"
      width="32"
      viewBox="0 0 32 32"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="3"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d="M5,24a13,13,0,1,1,22,0m-17-7,5,5,9-11" />
    </svg>
  );
}

/** An arrow down, after the word that opens a menu. */
export function Down() {
  return (
    <svg
      width="20"
      height="20"
      viewBox="0 0 20 20"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
    >
      <path d="m5 8 5 5 5-5" />
    </svg>
  );
}

/**
 * The logo as the page's icon, in a blue that is visible on light and dark tabs. It is inlined, because a file would
 * cost a request on the first visit and a revalidation on later ones. A URL has no spaces.
 */
export const ICON =
  "data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22%20viewBox=%220,0,32,32%22%20stroke-width=%223%22%20stroke=%22%2338c%22%20fill=%22none%22%3E%3Cpath%20d=%22M5,24a13,13,0,1,1,22,0m-17-7,5,5,9-11%22/%3E%3C/svg%3E";
