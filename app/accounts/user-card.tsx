import type { ReactNode } from "react";
import type { User } from "./user.ts";

export function UserCard({ user: { name, employeeNumber }, children }: { user: User; children: ReactNode }) {
  return (
    <section className="card" aria-label="Your account">
      <h1>{name || "New User"}</h1>
      {employeeNumber && <p>Employee # {employeeNumber}</p>}
      {children}
    </section>
  );
}
