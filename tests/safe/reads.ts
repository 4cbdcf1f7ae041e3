import { CALLS } from "#tests/worker/calls.ts";
import { nameOf } from "#tests/worker/make-call.ts";
import type { World } from "#tests/worker/world.ts";

/** A read: a page, or a GET of the API. */
export interface Read {
  name: string;
  isApi: boolean;
  who: "owner" | "admin" | "nobody";
  path: (world: World) => string;
}

const page = (name: string, who: Read["who"], path: Read["path"]): Read => ({
  name: `the page /${name}`,
  isApi: false,
  who,
  path,
});

/** Every page, seen by a user for whom it queries the database. */
const PAGES: Read[] = [
  page("", "owner", () => "/"),
  page("auth", "owner", () => "/auth"),
  page("profile", "owner", () => "/profile"),
  page("profile?request={id}", "owner", ({ entryId }) => `/profile?request=${entryId}`),
  page("profile/entries/:key?", "owner", () => "/profile/entries"),
  page("shift", "owner", () => "/shift?p=Quay+5"),
  page("profile/request/:id/:key?", "owner", ({ entryId }) => `/profile/request/${entryId}`),
  page("profile/record/:id", "owner", ({ entryId }) => `/profile/record/${entryId}`),
  page("profile/record/:id/withdraw", "owner", ({ entryId }) => `/profile/record/${entryId}/withdraw`),
  page("profile?status=deleted", "owner", () => "/profile?status=deleted"),
  page("profile/record/:id/edit", "owner", ({ entryId }) => `/profile/record/${entryId}/edit`),
  page("profile/record/:id/delete", "owner", ({ entryId }) => `/profile/record/${entryId}/delete`),
  page("profile/record/:id/restore", "owner", ({ deletedId }) => `/profile/record/${deletedId}/restore`),
  page("profile/print/:id?", "owner", ({ exportId }) => `/profile/print/${exportId}`),
  page("rope-hours/print/:id?", "owner", () => "/rope-hours/print"),
  page("rope-hours", "owner", () => "/rope-hours"),
  page("rope-hours/new/:key?", "owner", () => "/rope-hours/new"),
  ...(["training", "certificates"] as const).flatMap((path) => {
    const kind = path === "training" ? path : "certificate";
    const record = (end: string, which: "id" | "deletedId" = "id") => ({
      name: `${path}/record/:id${end}`,
      at: (world: World) => `/${path}/record/${world[kind][which]}${end}`,
    });
    return [
      page(path, "owner", () => `/${path}`),
      page(`${path}/new/:key?`, "owner", () => `/${path}/new`),
      page(`${path}/request/:id/:key?`, "owner", (world) => `/${path}/request/${world[kind].id}`),
      ...[record(""), record("/withdraw"), record("/edit"), record("/delete"), record("/restore", "deletedId")].map(
        ({ name, at }) => page(name, "owner", at),
      ),
      page(`admin/${path}/:id`, "admin", (world) => `/admin/${path}/${world[kind].id}`),
      page(`admin/${path}/:id/restore`, "admin", (world) => `/admin/${path}/${world[kind].deletedId}/restore`),
    ];
  }),
  page("rope-hours/request/:id/:key?", "owner", ({ ropeId }) => `/rope-hours/request/${ropeId}`),
  page("rope-hours/record/:id", "owner", ({ ropeId }) => `/rope-hours/record/${ropeId}`),
  page("rope-hours/record/:id/withdraw", "owner", ({ ropeId }) => `/rope-hours/record/${ropeId}/withdraw`),
  page("rope-hours/record/:id/edit", "owner", ({ ropeId }) => `/rope-hours/record/${ropeId}/edit`),
  page("rope-hours/record/:id/delete", "owner", ({ ropeId }) => `/rope-hours/record/${ropeId}/delete`),
  page("rope-hours/record/:id/restore", "owner", ({ deletedRopeId }) => `/rope-hours/record/${deletedRopeId}/restore`),
  page("supervisors", "owner", () => "/supervisors"),
  page("supervisors/new/:key?", "owner", () => "/supervisors/new/key-1"),
  page("supervisors/:id", "owner", ({ supervisorId }) => `/supervisors/${supervisorId}`),
  page("supervisors/:id/delete", "owner", ({ supervisorId }) => `/supervisors/${supervisorId}/delete`),
  page("account", "owner", () => "/account"),
  page("account/details", "owner", () => "/account/details"),
  page("account/name", "owner", () => "/account/name"),
  page("account/password", "owner", () => "/account/password"),
  page("account/email", "owner", () => "/account/email"),
  page("account/email/:token", "nobody", ({ changeToken }) => `/account/email/${changeToken}`),
  page("account/tokens/:key?", "owner", () => "/account/tokens"),
  page("account/exports/:id", "owner", ({ exportId }) => `/account/exports/${exportId}`),
  page("profile/exports", "owner", () => "/profile/exports"),
  page("rope-hours/exports", "owner", () => "/rope-hours/exports"),
  page("training/exports", "owner", () => "/training/exports"),
  page("training/print/:id?", "owner", () => "/training/print"),
  page("c/:code", "nobody", ({ exportCode }) => `/c/${exportCode}`),
  page("offline/entries", "nobody", () => "/offline/entries"),
  page("offline/rope-hours", "nobody", () => "/offline/rope-hours"),
  { ...page(".well-known/jwks.json", "nobody", () => "/.well-known/jwks.json"), isApi: true },
  page("checkpoint", "nobody", () => "/checkpoint"),
  page("account/delete", "owner", () => "/account/delete"),
  page("admin", "admin", () => "/admin"),
  page("admin?tab=entries", "admin", () => "/admin?tab=entries"),
  page("admin?delete={id}", "admin", ({ otherId }) => `/admin?delete=${otherId}`),
  page("admin/user/:id/:act?", "admin", ({ otherId }) => `/admin/user/${otherId}`),
  page("admin/user/:id/:act?, asked", "admin", ({ otherId }) => `/admin/user/${otherId}/lock`),
  page("admin/progress", "admin", () => "/admin/progress?preset=iso-9712-level-1&sort=verified"),
  page("admin/tokens/:key?", "admin", () => "/admin/tokens"),
  page("admin/system", "admin", () => "/admin/system"),
  page("admin/system/log-check", "admin", () => "/admin/system/log-check"),
  page("admin/system/erase-supervisor", "admin", () => "/admin/system/erase-supervisor"),
  page("admin/system/allow-emails", "admin", () => "/admin/system/allow-emails"),
  page("unsubscribe/:token", "nobody", ({ unsubscribeToken }) => `/unsubscribe/${unsubscribeToken}`),
  page("admin/entry/:id", "admin", ({ entryId }) => `/admin/entry/${entryId}`),
  page("admin/rope-hours/:id", "admin", ({ ropeId }) => `/admin/rope-hours/${ropeId}`),
  page("admin/entry/:id/restore", "admin", ({ deletedId }) => `/admin/entry/${deletedId}/restore`),
  page("admin/rope-hours/:id/restore", "admin", ({ deletedRopeId }) => `/admin/rope-hours/${deletedRopeId}/restore`),
  page("verify/:token", "nobody", ({ token }) => `/verify/${token}`),
  page("verify/:token, used", "nobody", ({ usedToken }) => `/verify/${usedToken}`),
  page("success", "nobody", ({ usedToken }) => `/success?token=${usedToken}`),
  page("progress", "owner", () => "/progress"),
  page("progress/print", "owner", () => "/progress/print"),
  page("requests", "owner", () => "/requests"),
  page("progress/targets/new/:key?", "owner", () => "/progress/targets/new?preset=iso-9712-level-1-ut"),
  page("progress/targets/:id", "owner", ({ targetId }) => `/progress/targets/${targetId}`),
  page("progress/targets/:id/delete", "owner", ({ targetId }) => `/progress/targets/${targetId}/delete`),
  page("requests/new/:key?", "owner", () => "/requests/new"),
  page("requests/:id", "owner", ({ requestId }) => `/requests/${requestId}`),
  ...["remind", "reminders", "withdraw"].map((what) =>
    page(`requests/:id/${what}`, "owner", ({ requestId }) => `/requests/${requestId}/${what}`),
  ),
  page("import", "owner", () => "/import"),
  page("import/:id", "owner", ({ importId }) => `/import/${importId}`),
  page("import/:id, applied", "owner", ({ appliedImportId }) => `/import/${appliedImportId}`),
  ...["apply", "undo"].map((what) =>
    page(`import/:id/${what}`, "owner", ({ importId }) => `/import/${importId}/${what}`),
  ),
  page("import/brought-forward/:key?", "owner", () => "/import/brought-forward"),
  page("inbox/:token", "nobody", ({ inboxToken }) => `/inbox/${inboxToken}`),
  page("confirm/:token", "nobody", ({ confirmToken }) => `/confirm/${confirmToken}`),
  page("disown/:token", "nobody", ({ disownToken }) => `/disown/${disownToken}`),
  page("reset-password", "owner", () => "/reset-password"),
  page("reset-password/:token", "nobody", ({ resetToken }) => `/reset-password/${resetToken}`),
];

const READ_CALLS: Read[] = CALLS.filter(({ method }) => method === "GET").map((call) => ({
  name: nameOf(call),
  isApi: true,
  who: call.access === "user" ? "owner" : call.access === "admin" ? "admin" : "nobody",
  path: (world) => call.path(world),
}));

export const READS: Read[] = [...PAGES, ...READ_CALLS];
