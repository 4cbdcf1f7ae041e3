import type { Registration } from "#app/accounts/user.schema.ts";
import type { NewSupervisor } from "#app/supervisors/supervisor.schema.ts";

export const DEMO_TECHNICIAN = {
  email: "demo@example.com",
  password: "demo-technician",
  name: "Dana Kowalski",
  employeeNumber: "NDT-1042",
};

export const DEMO_ADMIN = {
  email: "admin@example.com",
  password: "demo-admin",
  name: "Margit Aasen",
  employeeNumber: "NDT-1001",
};

/** The supervisors of the company, by their place in this list. Each technician saves those of their own jobs. */
export const DEMO_SUPERVISORS: NewSupervisor[] = [
  {
    name: "Ingrid Solheim",
    email: "ingrid.solheim@example.com",
    phone: "+47 555 01 230",
    certificationLevel: "Level III",
    company: "Fjord Inspection AS",
    role: null,
  },
  {
    name: "Marcus Reed",
    email: "marcus.reed@example.com",
    phone: "+44 20 7946 0182",
    certificationLevel: "Level II",
    company: "Northgate Aviation Services",
    role: null,
  },
  {
    name: "Piet van der Berg",
    email: "piet.vanderberg@example.com",
    phone: "+31 20 555 0147",
    certificationLevel: "Level III",
    company: "Delta NDT BV",
    role: null,
  },
  {
    name: "Aoife Brennan",
    email: "aoife.brennan@example.com",
    phone: "+353 20 915 0163",
    certificationLevel: "Level II",
    company: "Severn Structural Testing",
    role: null,
  },
  {
    name: "Hanne Vik",
    email: "hanne.vik@example.com",
    phone: null,
    certificationLevel: null,
    company: "Nordlys NDT Academy",
    role: "Instructor",
  },
];

/** The one who gives courses and grades examinations. */
export const INSTRUCTOR = 4;

/** The technicians of the company besides the demo technician. The last one has left out name and number. */
const NAMES: [name: string | null, mailbox: string][] = [
  ["Agnieszka Wójcik", "agnieszka.wojcik"],
  ["Øyvind Haugen", "oyvind.haugen"],
  ["Γιώργος Παπαδόπουλος", "giorgos.papadopoulos"],
  ["خالد المنصوري", "khalid.almansoori"],
  ["佐藤 健一", "kenichi.sato"],
  ["Łukasz Dąbrowski", "lukasz.dabrowski"],
  ["Åse Bjørnstad", "ase.bjornstad"],
  ["Ελένη Νικολάου", "eleni.nikolaou"],
  ["ليلى حداد", "layla.haddad"],
  ["鈴木 美咲", "misaki.suzuki"],
  ["Paweł Zieliński", "pawel.zielinski"],
  ["Sigrid Lønning", "sigrid.lonning"],
  ["Callum MacLeod", "callum.macleod"],
  ["Siân Prosser", "sian.prosser"],
  ["Jürgen Größmann", "juergen.groessmann"],
  ["Marta Peña Ibáñez", "marta.pena"],
  ["João Gonçalves", "joao.goncalves"],
  ["Nguyễn Thị Hạnh", "hanh.nguyen"],
  ["Jiří Dvořák", "jiri.dvorak"],
  ["Żaneta Król", "zaneta.krol"],
  ["Håkon Sæther", "hakon.saether"],
  ["Олена Шевченко", "olena.shevchenko"],
  ["Priya Raghunathan", "priya.raghunathan"],
  ["Gülşah Yıldız", "gulsah.yildiz"],
  ["Sean O’Donoghue", "sean.odonoghue"],
  ["Niamh Ní Bhriain", "niamh.nibhriain"],
  ["田中 翔太", "shota.tanaka"],
  ["Jean-François Lévêque", "jf.leveque"],
  ["Ruth Adeyemi", "ruth.adeyemi"],
  [null, "tech.30"],
];

/** The company of the demo admin: 30 technicians, in the order in which they registered. They have one password. */
export const DEMO_COMPANY: Registration[] = NAMES.map(([name, mailbox], index) => ({
  email: `${mailbox}@example.com`,
  password: DEMO_TECHNICIAN.password,
  name,
  employeeNumber: name && `NDT-${1050 + 3 * index}`,
}));
