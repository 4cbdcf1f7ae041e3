import type { ReactNode } from "react";
import type { User } from "./user.ts";

/** The user's name, or New User without one, and the employee number if set; then what the page says of their hours. */
export function UserCard({ user: { name, employeeNumber }, children }: { user: User; children: ReactNode }) {
  return (
    <section className="person" aria-label="Your account">
      <div>
        <h1>{name || "New User"}</h1>
        {employeeNumber && <p className="hint">{`Employee # ${employeeNumber}`}</p>}
        {!name && (
          <p>
            <a href="/account">Add your name and employee number</a>
          </p>
        )}
      </div>
      {children}
    </section>
  );
}
