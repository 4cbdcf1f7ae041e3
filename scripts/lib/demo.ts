import type { NewEntry } from "#app/records/entry/entry.schema.ts";
import type { NewSupervisor } from "#app/supervisors/supervisor.schema.ts";
import { toCalendarDate } from "#app/ui/calendar-date.ts";

export const DEMO_TECHNICIAN = {
  email: "demo@example.com",
  password: "demo-technician",
  name: "Dana Kowalski",
  employeeNumber: "NDT-1042",
};

export const DEMO_SUPERVISORS: NewSupervisor[] = [
  {
    name: "Ingrid Solheim",
    email: "ingrid.solheim@example.com",
    phone: "+47 555 01 230",
    certificationLevel: "Level III",
    company: "Fjord Inspection AS",
  },
  {
    name: "Marcus Reed",
    email: "marcus.reed@example.com",
    phone: "+44 20 7946 0182",
    certificationLevel: "Level II",
    company: "Northgate Aviation Services",
  },
];

const DAY_MS = 24 * 60 * 60 * 1000;

/** Jobs in order: the location, which of the two supervisors verifies, and the method and hours of each day. */
const JOBS: [location: string, supervisor: 0 | 1, days: string][] = [
  [
    "Mongstad refinery, crude unit, piping rack 3",
    0,
    "UT_THK 7.5, UT_THK 8, MT 6.5, PT 4, UT_THK 7.5, RT 8, RT 7.5, PMI 3.5",
  ],
  ["Hangar 4, Stavanger, landing gear bay", 1, "ET 6, ET 7.5, PT 5.5, MT 4, ET 8, RFT 6.5"],
  ["Rig Valhall QP, splash zone nodes", 0, "MT 10, UTSW 9.5, UTSW 11, MT 8, UT_THK 12, UTSW 10.5, PT 6, LSI 4.5"],
  ["Kårstø gas plant, heat exchanger E-2104", 0, "RFT 8, RFT 7.5, ET 7.5, UT_THK 6, PMI 5, RFT 8"],
  ["Grangemouth refinery, tank 71 floor scan", 1, "UT_THK 8, UT_THK 7.5, LSI 6.5, MT 7, PT 3, UTSW 7.5"],
  ["Hangar 2, Prestwick, wing spar inspection", 1, "ET 7.5, UTSW 6, PT 2.5, ET 8, RT 7.5, MT 5"],
];

/** The demo technician's entries of the three months before `now`, oldest first, with the supervisor of each. */
export function demoWork(now: Date): { entry: NewEntry; supervisor: 0 | 1 }[] {
  const work = JOBS.flatMap(([location, supervisor, days]) =>
    days.split(", ").map((day) => {
      const [method = "", hours] = day.split(" ");
      return { location, supervisor, method: method as NewEntry["method"], hours: Number(hours) }; // the format of JOBS
    }),
  );
  return work.map(({ supervisor, ...rest }, index) => {
    const daysAgo = 1 + Math.round(((work.length - 1 - index) * 88) / (work.length - 1));
    return { entry: { date: toCalendarDate("UTC", new Date(now.getTime() - daysAgo * DAY_MS)), ...rest }, supervisor };
  });
}
