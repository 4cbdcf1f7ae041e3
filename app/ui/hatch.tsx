/** The hatching of what waits for a supervisor, which a style sheet refers to as `#hatch`. A page has it once. */
export function HatchPattern() {
  return (
    <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="6" height="6" />
      <path d="M0 0v6" />
    </pattern>
  );
}
