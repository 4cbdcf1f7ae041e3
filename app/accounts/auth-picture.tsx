/** The hours of the picture's gauge and its rows; the data is invented. */
const LABELS = [
  [0, 57, 345],
  [30, 27, 213],
  [60, 76, 87],
  [90, 188, 10],
  [120, 324, 10],
  [150, 436, 87],
  [180, 485, 213],
  [210, 455, 345],
] as const;

const ROWS = [
  ["12 Nov 2026", "ET", "8.0", "Marcus Reed"],
  ["11 Nov 2026", "ET", "6.0", "Marcus Reed"],
  ["1 Oct 2026", "UT Thk.", "6.5", "Ingrid Solheim"],
] as const;

/**
 * The picture beside the sign-in form: a gauge of verified hours and three verified records. Its graduations are the
 * dashes of two wide arcs, whose length is 210 hours.
 */
export function AuthPicture() {
  return (
    <svg
      viewBox="0 -12 512 486"
      role="img"
      aria-label="A gauge at 168.5 of 210 hours verified, and three verified records."
    >
      <g fill="none" strokeWidth="12">
        <path className="track" d="M110.5 308A168 168 0 1 1 401.5 308" />
        <path className="lit" d="M110.5 308A168 168 0 1 1 416.3 173.7" />
        <path className="glow" strokeDasharray="2 3" d="M416.3 173.7A168 168 0 0 1 422.7 244.9" />
        <path
          className="minor"
          strokeWidth="8"
          pathLength="210"
          strokeDasharray=".4 2.6"
          strokeDashoffset=".2"
          d="M89.7 320A192 192 0 1 1 422.3 320"
        />
        <path
          strokeWidth="20"
          pathLength="210"
          strokeDasharray=".5 29.5"
          strokeDashoffset=".25"
          d="M84.5 323A198 198 0 1 1 427.5 323"
        />
        <path strokeWidth="3" d="M389.6 182.1 458.3 160.5" />
      </g>
      <g textAnchor="middle">
        {LABELS.map(([hours, x, y]) => (
          <text key={hours} x={x} y={y}>
            {hours}
          </text>
        ))}
        <text className="reading" x="256" y="232">
          168.5
        </text>
        <text x="256" y="264">
          of 210 h verified
        </text>
        <text className="glow" x="256" y="288">
          21.5 h waiting
        </text>
      </g>
      {ROWS.map(([date, method, hours, supervisor], index) => (
        <g key={date} transform={`translate(0 ${364 + index * 36})`}>
          <path className="track" d="M0 0h512" />
          <text y="24">{date}</text>
          <rect className="minor" x="108" y="6" width="76" height="24" rx="2" fill="none" />
          <text x="146" y="24" textAnchor="middle">
            {method}
          </text>
          <text x="244" y="24" textAnchor="end">
            {hours}
          </text>
          <path className="lit" fill="none" strokeWidth="2.5" d="m274 18 4 5 8-10" />
          <text className="lit" x="296" y="24">
            Verified by {supervisor}
          </text>
        </g>
      ))}
    </svg>
  );
}
