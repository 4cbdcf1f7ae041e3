import type { User } from "#app/accounts/user.ts";
import { formatDate, toCalendarDate } from "#app/ui/calendar-date.ts";
import { DeleteCell } from "./cells.tsx";
import { TAB_TEXTS } from "./tabs.ts";
import { recordsHref } from "./view.ts";

/** Users, a row each; where a table cannot fit, the style sheet lays them out as cards. */
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
              <td>{email}</td>
              <td>{employeeNumber}</td>
              <td>
                <time dateTime={date}>{formatDate(date)}</time>
              </td>
              <td>{isAdmin && "Admin"}</td>
              <td>
                <a href={recordsHref("entries", id)}>{TAB_TEXTS.entries.label}</a>{" "}
                <a href={recordsHref("rope-hours", id)}>{TAB_TEXTS["rope-hours"].label}</a>
              </td>
              <DeleteCell id={id} />
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
