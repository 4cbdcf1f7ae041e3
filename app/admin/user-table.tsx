import { Fragment } from "react";
import type { User } from "#app/accounts/user.ts";
import { KINDS } from "#app/records/kinds.ts";
import { formatDate, toCalendarDate } from "#app/ui/calendar-date.ts";
import { DeleteCell } from "./delete-cell.tsx";
import { recordsHref } from "./view.ts";

/** The table of users; on narrow screens the style sheet shows each row as a card. */
export function UserTable({ users, timeZone }: { users: User[]; timeZone: string }) {
  return (
    <table className="list">
      <thead>
        <tr>
          <th>Name</th>
          <th>Email</th>
          <th>Employee Number</th>
          <th>Registered</th>
          <th>Role</th>
          <th>Records</th>
          <th>Actions</th>
        </tr>
      </thead>
      <tbody>
        {users.map(({ id, name, email, employeeNumber, isAdmin, createdAt }) => {
          const date = toCalendarDate(timeZone, createdAt);
          return (
            <tr key={id}>
              <td>
                <b>{name || "New User"}</b>
              </td>
              <td className="email">{email}</td>
              <td>{employeeNumber}</td>
              <td>
                <time dateTime={date}>{formatDate(date)}</time>
              </td>
              <td>{isAdmin && "Admin"}</td>
              <td>
                {KINDS.map((kind) => (
                  <Fragment key={kind.name}>
                    <a href={recordsHref(kind, id)}>{kind.adminTexts.label}</a>{" "}
                  </Fragment>
                ))}
              </td>
              <DeleteCell id={id} />
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
