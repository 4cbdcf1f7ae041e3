/*
 * Which file may import which: `npm run check` and `npm test` run it (dependency-cruiser). Type-only imports count.
 * Tests may import everything, and nothing but tests imports a test.
 */

/**
 * The modules of `app/`, the lowest first. A module imports those of lower levels, and none of its own or a higher level.
 * A new module gets a level here, and so does each folder of `verification`. A file directly in `app/` is an entry and imports what it starts, or one that every level uses
 * and that imports nothing: `calendar-date.ts`, `errors.ts` and `plain-text.ts`.
 */
const LEVELS = [
  { modules: ["db"], comment: "Tables, the connection and how text is stored know nothing of the app." },
  { modules: ["server"], comment: "Request checks, context, limits and the logger serve every module, and know none." },
  { modules: ["ui"], comment: "Components without state." },
  { modules: ["client", "forms", "mail"], comment: "Islands, forms and emails of any subject." },
  {
    modules: ["install"],
    comment: "What makes the app installable; it knows what a log page looks like, and no more.",
  },
  { modules: ["accounts"], comment: "Who somebody is, before what they have logged." },
  { modules: ["supervisors"], comment: "Whom a technician may ask; they belong to an account." },
  { modules: ["records"], comment: "What a record is, whether or not anybody has verified it." },
  { modules: ["events"], comment: "What happened to an account's records and requests, written by triggers." },
  { modules: ["audit-log"], comment: "The events of a record, hashed with it." },
  {
    modules: ["verification(?=/[^/]+$)"],
    comment: "Requests and verifications: their tables, what a record looks like, and links.",
  },
  { modules: ["supervisor-mail"], comment: "The emails to supervisors and about them, and what limits them." },
  { modules: ["verification/requests"], comment: "A technician requests a verification, which queues an email." },
  {
    modules: ["verification/answer"],
    comment: "A supervisor answers, which ends requests and notifies the technician.",
  },
  {
    modules: ["verification/notices"],
    comment: "What the emails lead to beside the answer: confirm, disown, inbox, unsubscribe.",
  },
  { modules: ["evidence"], comment: "The pages of training and certificates list records and ask for them." },
  {
    modules: ["corrections", "certification", "offline", "pdf"],
    comment: "An edit ends requests; totals and forms read records.",
  },
  { modules: ["proof"], comment: "An export prints the form, and its check reads the audit log." },
  { modules: ["admin", "transfer"], comment: "They use what a technician uses, and take out all that is theirs." },
  { modules: ["api"], comment: "How an endpoint is described and served, and the description of all of them." },
  { modules: ["sweeps"], comment: "What time removes from the tables of all modules." },
  {
    modules: ["entry"],
    comment: "The scripts that a page starts with: they start what any module has for the browser.",
  },
  { modules: ["routes"], comment: "A route calls the modules, and no module knows its address." },
];

const TESTS = ["^tests/", "\\.(test|timing)\\.tsx?$"];
const modulesOf = (levels) => `^app/(${levels.flatMap(({ modules }) => modules).join("|")})/`;

/** One rule for each level: nothing of this level or above it, but the importing module itself. */
const levelRules = LEVELS.map(({ modules, comment }, index) => ({
  name: `level-${modules.join("-")}`,
  comment,
  severity: "error",
  from: { path: `^app/(${modules.join("|")})/`, pathNot: TESTS },
  to: { path: modulesOf(LEVELS.slice(index)), pathNot: "^app/$1/" },
}));

module.exports = {
  forbidden: [
    ...levelRules,
    {
      name: "verification-below-its-folders",
      comment:
        "Each folder of verification has a level of its own, and the files beside the folders are below all of them.",
      severity: "error",
      from: { path: "^app/verification/[^/]+$", pathNot: TESTS },
      to: { path: "^app/verification/[^/]+/" },
    },
    {
      name: "no-circles",
      comment: "A file that reaches itself cannot be read, tested or moved alone.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "every-module-has-a-level",
      comment: "A folder of app/ that LEVELS does not name could import everything.",
      severity: "error",
      from: {},
      to: { path: "^app/[^/]+/", pathNot: modulesOf(LEVELS) },
    },
    {
      name: "below-all-levels",
      comment: "Every module uses these files, so what they imported would be below every module, too.",
      severity: "error",
      from: { path: "^app/(calendar-date|errors|plain-text)\\.ts$" },
      to: {},
    },
    {
      name: "app-alone",
      comment: "The product is built from app/ alone; what runs, builds and measures it is around it.",
      severity: "error",
      from: { path: "^app/", pathNot: TESTS },
      to: { path: "^(bench|demo|scripts|self-host|tests|vite)/", pathNot: "^vite/client$" },
    },
    {
      name: "browser-without-server",
      comment: "What runs in the browser knows the server's files as types only.",
      severity: "error",
      from: { path: "\\.(client|inline|island)\\.tsx?$" },
      to: { path: "\\.server\\.tsx?$", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "self-host-alone",
      comment: "The executable is the app and what is around it.",
      severity: "error",
      from: { path: "^self-host/", pathNot: TESTS },
      to: { path: "^(bench|demo|scripts|tests|vite)/" },
    },
    {
      name: "vite-alone",
      comment: "The build's plugins are the build's.",
      severity: "error",
      from: { path: "^vite/" },
      to: { path: "^(app|bench|demo|scripts|self-host|tests)/" },
    },
    {
      name: "scripts-without-bench-and-tests",
      comment: "What measures and tests the app uses what starts it, not the other way round.",
      severity: "error",
      from: { path: "^scripts/" },
      to: { path: "^(bench|tests)/" },
    },
    {
      name: "demo-alone",
      comment: "Demo data is made by the app's functions; commands and measurements use it.",
      severity: "error",
      from: { path: "^demo/", pathNot: TESTS },
      to: { path: "^(bench|scripts|self-host|tests|vite)/" },
    },
    {
      name: "no-test-as-library",
      comment: "What several tests use is a file of its own.",
      severity: "error",
      from: {},
      to: { path: "\\.(test|timing)\\.tsx?$" },
    },
    {
      name: "found",
      comment:
        "An import that leads nowhere would be checked against no rule. The entries in tests/ lie beside a build.",
      severity: "error",
      from: { pathNot: "^tests/.*\\.js$" },
      to: { couldNotResolve: true, pathNot: "^(binary:|cloudflare:|virtual:|vite/client$)" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      conditionNames: ["import", "node", "default"],
      exportsFields: ["exports"],
      extensions: [".ts", ".tsx", ".mjs", ".js"],
    },
  },
};
