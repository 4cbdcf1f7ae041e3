/** The mark: a dial whose needle has come to rest on a tick. It takes the text's colour. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
      <path d="M5 24a13 13 0 1 1 22 0" fill="none" stroke="currentColor" strokeWidth="3" strokeLinecap="round" />
      <path
        d="m10 17 5 5 9-11"
        fill="none"
        stroke="currentColor"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
