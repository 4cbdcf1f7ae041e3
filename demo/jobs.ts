import type { Method } from "#app/db/enumerations.ts";

/** A place where a technician works for some weeks. */
export interface Job {
  location: string;
  /** The index of its supervisor in `DEMO_SUPERVISORS`. */
  supervisor: number;
  /** The first is the main method. */
  methods: Method[];
  /** The shortest and the longest day, in hours. */
  hours: [least: number, most: number];
  /** The work on the rope, or null where there is no rope access. */
  skills: string | null;
}

/** The jobs of the demo technician's year, the oldest first. */
export const JOBS: Job[] = [
  {
    location: "Mongstad refinery, crude unit, piping rack 3",
    supervisor: 0,
    methods: ["UT_THK", "RT", "PT", "PMI"],
    hours: [5, 9],
    skills: "Work positioning on pipe racks, rope-to-rope transfers",
  },
  {
    location: "Hangar 4, Stavanger, landing gear bay",
    supervisor: 1,
    methods: ["ET", "MT", "PT"],
    hours: [2.5, 8],
    skills: null,
  },
  {
    location: "Valhall QP, splash zone nodes",
    supervisor: 0,
    methods: ["MT", "UTSW", "UT"],
    hours: [8, 12],
    skills: "Descending and ascending below the cellar deck, deviations, work over water",
  },
  {
    location: "Kårstø gas plant, heat exchanger E-2104",
    supervisor: 2,
    methods: ["RFT", "ET", "VT"],
    hours: [5, 8.5],
    skills: null,
  },
  {
    location: "Grangemouth refinery, tank 71, shell courses",
    supervisor: 1,
    methods: ["UT", "LSI", "MT", "PT"],
    hours: [4, 9],
    skills: "Rigging of a tension line around the roof edge, descents along the shell",
  },
  {
    location: "Statfjord B, flare boom",
    supervisor: 0,
    methods: ["UT_THK", "MT", "VT"],
    hours: [8, 12],
    skills: "Horizontal aid climbing, rescue standby, hauling of equipment",
  },
  {
    location: "Hangar 2, Prestwick, wing spars",
    supervisor: 1,
    methods: ["ET", "UTSW", "PT"],
    hours: [2.5, 8],
    skills: null,
  },
  {
    location: "Port Talbot steelworks, stove 2",
    supervisor: 3,
    methods: ["UT", "RT", "MT"],
    hours: [5, 9.5],
    skills: "Confined space entry by rope, rebelays, casualty haul in a drill",
  },
  {
    location: "Hywind Tampen, tower flange HY07",
    supervisor: 2,
    methods: ["UTSW", "MT"],
    hours: [6, 12],
    skills: "Tower access, work positioning at the flange, pick-off rescue in a drill",
  },
  {
    location: "Rotterdam Botlek, ammonia sphere S-12",
    supervisor: 2,
    methods: ["MT", "UTSW", "PMI"],
    hours: [5, 9],
    skills: "Descents over a curved shell, edge protection, tensioned lines",
  },
  {
    location: "Forth Road Bridge, hanger pins",
    supervisor: 3,
    methods: ["UTSW", "MT", "PT"],
    hours: [4, 8],
    skills: "Suspended access over traffic, tool lanyards, passing of knots",
  },
  {
    location: "Mongstad refinery, flare line FL-118",
    supervisor: 0,
    methods: ["UT_THK", "RT", "LSI"],
    hours: [5, 10],
    skills: "Work positioning, rigging of anchors, ascents of 40 m",
  },
];
