/**
 * The specification, piece by piece, and where each piece stands and is proved. `docs/specification.md` is the same
 * list to read, and `coverage.test.ts` holds both to the files.
 */

/** Words in a file. */
export type Place = readonly [file: string, words: string];

export interface Piece {
  /** As the specification has it. */
  spec: string;
  /** Where the product has it. Left out: its words, somewhere under app/. */
  product?: Place;
  /** The pieces that the product composes it of, all in one file. */
  madeOf?: readonly string[];
  tests: readonly Place[];
}

const piece = (spec: string, product: Place, ...tests: Place[]): Piece => ({ spec, product, tests });
const message = (spec: string, ...files: string[]): Piece => ({
  spec,
  tests: files.map((file): Place => [file, spec]),
});
const composed = (spec: string, madeOf: string[], ...tests: Place[]): Piece => ({ spec, madeOf, tests });

const AUTH = "app/accounts/auth-screen.worker.test.ts";
const FAILURES = "app/accounts/failures.worker.test.ts";
const RESET = "app/accounts/reset.worker.test.ts";
const DOORS = "app/accounts/reset-links.worker.test.ts";
const GUARD = "app/server/request-checks.worker.test.ts";
const ADMIN = "app/admin/admin-screen.worker.test.ts";
const ADMIN_CALLS = "app/admin/admin-calls.worker.test.ts";
const LOG = "app/records/entry/entry-log.worker.test.ts";
const ENTRIES = "app/records/entry/entries.worker.test.ts";
const ENTRY_FORM = "app/records/entry/entry-form.worker.test.ts";
const ROPE = "app/records/rope-hours/rope-hours.worker.test.ts";
const INPUTS = "app/records/inputs.worker.test.ts";
const DIALOG = "app/verification/requests/request-dialog.worker.test.ts";
const VERIFY = "app/verification/confirm/verify-screen.worker.test.ts";
const VERIFYING = "app/verification/verification.worker.test.ts";
const ROPE_VERIFYING = "app/verification/rope-verification.worker.test.ts";
const SUPERVISORS = "app/supervisors/supervisors.worker.test.ts";
const SCHEMA = "app/accounts/user.schema.test.ts";
const SESSIONS = "app/accounts/sessions.worker.test.ts";
const FORM = "app/pdf/form.test.ts";
const PDF = "app/pdf/document.test.tsx";
const SHEET = "app/pdf/sheet.test.tsx";
const NOTHING = "app/pdf/nothing-verified.worker.test.ts";
const CALLS = "tests/worker/calls.ts";
const EXPORT = "tests/browser/export.spec.ts";
const EXPORT_WORDS = "tests/browser/export-words.spec.ts";
const SMALL = "tests/browser/small-behaviours.spec.ts";
const TOOLTIP = "tests/browser/tooltip.spec.ts";

const route = (spec: string, module: string, ...tests: Place[]): Piece =>
  piece(spec, ["app/routes.ts", `"routes/${module}"`], ...tests);

/** Section 2. */
export const ROUTES: Piece[] = [
  route("/", "auth.tsx", [AUTH, "/ and /auth are the Login tab"]),
  route("/auth", "auth.tsx", [AUTH, "/ and /auth are the Login tab"], ["tests/browser/auth.spec.ts", "/auth"]),
  route("/profile", "profile.tsx", [LOG, 'get("/profile")'], ["tests/worker/access.ts", '"/profile"']),
  route("/rope-hours", "rope-hours.tsx", [ROPE, 'get("/rope-hours")'], ["tests/browser/rope-hours.spec.ts", "rope"]),
  route("/admin", "admin.tsx", [ADMIN, "/admin is for admins"], ["tests/browser/admin.spec.ts", "/admin"]),
  route("/verify/{token}", "verify.tsx", [VERIFY, "`/verify/$"], ["tests/browser/main-job.spec.ts", "Verify Hours"]),
  route("/success?token={token}", "success.tsx", [VERIFY, "`/success?token=$"]),
  route("/reset-password", "reset-password.tsx", [RESET, 'get("/reset-password")'], [DOORS, '["/reset-password"]']),
  route(
    "/reset-password/{token}",
    "reset-password.token.tsx",
    [RESET, "`/reset-password/$"],
    [DOORS, "/reset-password/a-token"],
  ),
  route("any other path", "not-found.tsx", [GUARD, "404 Page Not Found Did you forget to add the page to the router?"]),
];

const call = (spec: string, ...tests: Place[]): Piece => {
  const path = spec.split(" ")[1] ?? "";
  const start = path.split("{")[0] ?? "";
  return piece(spec, ["app/routes.ts", start.slice(1).replace(/\/$/, "")], [CALLS, start], ...tests);
};

/** Section 7. Each is in the table of calls, too, which two test files run through. */
export const CALL_LIST: Piece[] = [
  call("GET /api/user", [SESSIONS, "/api/user"]),
  call("POST /api/auth/login", ["app/accounts/accounts.worker.test.ts", "/api/auth/login"]),
  call("POST /api/auth/register", ["app/accounts/accounts.worker.test.ts", "/api/auth/register"]),
  call("POST /api/auth/logout", [FAILURES, '"/api/auth/logout"'], [SESSIONS, "/api/auth/logout"]),
  call("GET /api/entries", [ENTRIES, "/api/entries"]),
  call("POST /api/entries", [ENTRIES, '"POST", "/api/entries"']),
  call("GET /api/supervisors", [SUPERVISORS, "/api/supervisors"]),
  call("POST /api/supervisors", [SUPERVISORS, '"POST", "/api/supervisors"']),
  call("POST /api/verify-request/{entryId}", [VERIFYING, "/api/verify-request/"]),
  call("GET /api/rope-hours", [ROPE, "/api/rope-hours"]),
  call("POST /api/rope-hours", [ROPE, '"POST", "/api/rope-hours"']),
  call("POST /api/verify-request-rope/{id}", [ROPE_VERIFYING, "/api/verify-request-rope/"]),
  call("GET /api/verify/{token}", [VERIFYING, "/api/verify/"], [ROPE_VERIFYING, "/api/verify/"]),
  call("POST /api/verify/{token}", [VERIFYING, "/api/verify/"], [ROPE_VERIFYING, "/api/verify/"]),
  call("POST /api/auth/reset-password", [RESET, '"POST", "/api/auth/reset-password"']),
  call("POST /api/auth/reset-password/{token}", [RESET, "`/api/auth/reset-password/$"]),
  call("GET /api/admin/users", [ADMIN_CALLS, "/api/admin/users"]),
  call("GET /api/admin/entries", [ADMIN_CALLS, "/api/admin/entries"]),
  call("DELETE /api/admin/users/{id}", [ADMIN_CALLS, "/api/admin/users/"]),
  call("DELETE /api/admin/entries/{id}", [ADMIN_CALLS, "/api/admin/entries/"]),
];

/** Section 8, failures. */
export const FAILURE_MESSAGES: Piece[] = [
  message("Login failed", FAILURES),
  message("Registration failed", FAILURES),
  message("An unexpected error occurred", "app/accounts/unexpected.test.ts"),
  message("Logout failed", FAILURES),
  message("Failed to log out. Please try again.", FAILURES),
  message("Failed to save entries. Please try again.", ENTRY_FORM),
  message("No verified entries", NOTHING),
  message("You need at least one verified entry to export as PDF.", NOTHING, EXPORT),
  message("Failed to export PDF. Please try again.", EXPORT),
  composed(
    "Failed to create supervisor. Please try again.",
    ["Failed to create supervisor.", " Please try again."],
    [DIALOG, "Failed to create supervisor. Please try again."],
  ),
  composed(
    "Failed to send verification request. Please try again.",
    ["Failed to send verification request.", " Please try again."],
    [DIALOG, "Failed to send verification request. Please try again."],
  ),
  message("Failed to log rope hours. Please try again.", ROPE),
  message("Verification failed", VERIFY),
  message("An error occurred during verification", VERIFY),
  message("Verification Failed", VERIFY, ADMIN_CALLS),
  message("This entry may have already been verified or the link is invalid.", VERIFY, VERIFYING),
  message("Invalid Data Format", "app/verification/confirm/verify-screen.test.ts"),
  message("Verification Error", VERIFY),
  message("No verification details available. This may be an invalid link or the verification has expired.", VERIFY),
  message("Failed to send reset link", RESET),
  message("Failed to reset password", RESET, "tests/browser/reset.spec.ts"),
  message("An error occurred. Please try again.", RESET),
  composed("Failed to delete user", ["Failed to delete $"], [ADMIN, "Failed to delete user"]),
  composed("Failed to delete entry", ["Failed to delete $"], [ADMIN, "Failed to delete entry"]),
  composed(
    "Error loading users. Please try again.",
    ["Error loading {TAB_TEXTS[view.tab].many}. Please try again."],
    [ADMIN, "Error loading users. Please try again."],
  ),
  composed(
    "Error loading entries. Please try again.",
    ["Error loading {TAB_TEXTS[view.tab].many}. Please try again."],
    [ADMIN, "Error loading entries. Please try again."],
  ),
  message("Access Denied", ADMIN, ADMIN_CALLS, "tests/browser/admin.spec.ts"),
  message("You don't have permission to access the admin page.", ADMIN, ADMIN_CALLS),
  message("useAuth must be used within an AuthProvider", "app/accounts/auth.test.tsx"),
];

/** Section 8, successes. */
export const SUCCESS_MESSAGES: Piece[] = [
  message("Login successful", AUTH),
  composed("Welcome back, {name or email}!", ["`Welcome back, $", "{displayName(user)}!`"], [AUTH, "Welcome back, "]),
  message("Registration successful", AUTH),
  composed(
    "Welcome, {name or email}!",
    ["`Welcome, $", "{displayName(user)}!`"],
    [AUTH, "Welcome, Kari Nordmann!"],
    [AUTH, "Welcome, nameless@example.com!"],
  ),
  message("Logged out successfully", GUARD, SESSIONS, "tests/browser/auth.spec.ts"),
  message("Entries added", ENTRY_FORM),
  message("Your OJT hours have been saved successfully.", ENTRY_FORM),
  message("PDF exported", EXPORT_WORDS),
  message("Your verified hours have been exported as PDF.", EXPORT),
  message("Verification request sent", "app/verification/requests/request-mail.worker.test.ts"),
  message("Verification successful", VERIFY, ROPE_VERIFYING),
  composed(
    "Thank you for verifying these rope/OJT hours.",
    ["`Thank you for verifying these ${", '"OJT" : "rope"', "} hours.`"],
    [VERIFY, "Thank you for verifying these OJT hours."],
    [ROPE_VERIFYING, "Thank you for verifying these rope hours."],
  ),
  message("User deleted", ADMIN, ADMIN_CALLS),
  message("Entry deleted", ADMIN, ADMIN_CALLS),
  composed(
    "Success: Rope hours logged successfully",
    ['"Success"', '"Rope hours logged successfully"'],
    [ROPE, "Success Rope hours logged successfully"],
  ),
  message("If your email exists in our system, we've sent you instructions to reset your password.", RESET),
  message("Password reset successful", RESET),
  message("You can now log in with your new password", RESET),
];

/** Section 5. */
export const VALIDATION_MESSAGES: Piece[] = [
  message("Please enter a valid email address", AUTH, RESET, CALLS),
  message("Password is required", AUTH, CALLS),
  message("Password must be at least 8 characters", AUTH, RESET, SCHEMA, CALLS),
  message("Name must be at least 2 characters", AUTH, SCHEMA, CALLS),
  composed("Date is required", ['calendarDate("Date")'], [ENTRY_FORM, "Date is required"], [CALLS, "Date is required"]),
  message("Location is required", ENTRY_FORM, CALLS),
  message("Method is required", ENTRY_FORM, CALLS),
  message("Hours must be greater than 0", ENTRY_FORM, CALLS),
  message("Name is required", DIALOG, VERIFY, CALLS),
  message("Invalid email address", DIALOG, CALLS),
  message("Phone is required", DIALOG, CALLS),
  message("Company is required", SUPERVISORS, CALLS),
  message("Please fill in all fields", ROPE, CALLS),
  message("End date must be after start date", ROPE, CALLS),
  message("Passwords do not match", RESET),
];

const DOCUMENT = "app/pdf/document.tsx";
const PDF_FORM = "app/pdf/form.ts";

/** Section 9. */
export const CONSTANTS: Piece[] = [
  piece(
    "Minimum entry hours 0.1",
    ["app/records/entry/entry.schema.ts", "ENTRY_HOURS_MIN = 0.1"],
    [ENTRIES, "less than 0.1 is refused"],
  ),
  piece(
    "OJT hours input: min 0, step 0.5",
    ["app/records/entry/entry-fields.tsx", "step={0.5}"],
    [INPUTS, 'min: "0", step: "0.5"'],
  ),
  piece(
    "Rope hours input: min 0, step 0.1",
    ["app/records/rope-hours/rope-fields.tsx", "step={0.1}"],
    [INPUTS, 'min: "0", step: "0.1"'],
    [ROPE, "hours are from 0 to 100,000"],
  ),
  piece(
    "Hours shown with one decimal",
    ["app/records/hours.ts", "toFixed(1)"],
    ["app/records/hours.test.ts", "one decimal is shown, rounded half up"],
  ),
  piece(
    "Password minimum 8 at registration",
    ["app/accounts/user.schema.ts", ">= 8"],
    [SCHEMA, "a password that is set has 8 to 128 characters"],
  ),
  piece(
    "Password minimum 8 for a new password",
    ["app/accounts/user.schema.ts", "password: newPassword"],
    [RESET, "Password must be at least 8 characters"],
  ),
  piece(
    "Any non-empty password at login",
    ["app/accounts/user.schema.ts", '.min(1, "Password is required")'],
    [SCHEMA, "a password at login may be any that is not empty"],
  ),
  piece("Name minimum 2", ["app/accounts/user.schema.ts", "min: 2"], [SCHEMA, "given, it has 2 to 200 characters"]),
  piece(
    "Login redirect delay 100 ms",
    ["app/accounts/sign-in.server.ts", "redirectTo(context, path"],
    [AUTH, "logging in with the form lands on /profile"],
  ),
  piece(
    "Copy confirmation 2 s",
    ["app/client/copy.client.ts", "SAID = 2_000"],
    [SMALL, "after 2 seconds its own name again"],
  ),
  piece(
    "Redirect after reset 2 s",
    ["app/routes/reset-password.token.tsx", 'Refresh: "2;url=/auth"'],
    [RESET, '"2;url=/auth"'],
    ["tests/browser/reset.spec.ts", "after 2 seconds"],
  ),
  piece("One toast at a time", ["app/client/toast.client.ts", "old.remove()"], [EXPORT_WORDS, "toHaveCount(1)"]),
  piece("Toast default duration 5000 ms", ["app/styles.css", "animation: toast 5s"], [SMALL, "duration: 5_000"]),
  piece(
    "Tooltip open delay 700 ms",
    ["app/client/tooltip.client.ts", "OPEN_DELAY_MS = 700"],
    [SMALL, "runFor(699)"],
    [TOOLTIP, "toBe(700)"],
  ),
  piece(
    "Tooltip skip window 300 ms",
    ["app/client/tooltip.client.ts", "SKIP_WINDOW_MS = 300"],
    [TOOLTIP, "delayAfter(299)).toBe(0)"],
  ),
  piece(
    "Rope-hours total sums only verified records",
    ["app/records/rope-hours/rope-hours.server.ts", "eq(ropeHours.verified, true)"],
    [ROPE, "the total adds verified hours alone"],
  ),
  piece(
    "Methods ET, RFT, MT, PT, RT, UT_THK, UTSW, PMI, LSI",
    ["app/db/enumerations.ts", '"ET", "RFT", "MT", "PT", "RT", "UT_THK", "UTSW", "PMI", "LSI"'],
    [ENTRIES, '"ET", "RFT", "MT", "PT", "RT", "UT_THK", "UTSW", "PMI", "LSI"'],
    [LOG, '"ET", "RFT", "MT", "PT", "RT", "UT Thk.", "UTSW", "PMI", "LSI"'],
  ),
  piece("PDF: A4 landscape, millimetres", [DOCUMENT, 'orientation="landscape"'], [SHEET, "[297, 210]"]),
  piece(
    "PDF: title Experience Hours (OJT)",
    [PDF_FORM, "Experience Hours (OJT)"],
    [FORM, "Experience Hours (OJT)"],
    [PDF, "Experience Hours (OJT)"],
  ),
  piece("PDF: header with Employee Name", [DOCUMENT, "Employee Name"], [PDF, "Kari Nordmann"]),
  piece("PDF: header with Employee Number", [DOCUMENT, "Employee Number"], [PDF, "NDT-7"]),
  piece(
    "PDF: columns Job Date, Job Location, nine methods, Supervisor",
    [DOCUMENT, ">Supervisor</Text>"],
    [PDF, '["Job Date", "Job Location", ...form.methods, "Supervisor"]'],
  ),
  piece("PDF: verified entries only", [PDF_FORM, "verified"], [FORM, "only verified entries stand on the form"]),
  piece("PDF: alternating row shading", [DOCUMENT, "shaded={index % 2 === 1}"], [SHEET, "every second one is shaded"]),
  piece("PDF: a Total Hours row", [DOCUMENT, "Total Hours"], [PDF, '"Total Hours"'], [EXPORT, "Total Hours "]),
  piece(
    "PDF: The above is true and accurate to the best of my knowledge.",
    ["app/records/signature-block.tsx", "The above is true and accurate to the best of my knowledge."],
    [FORM, "The above is true and accurate to the best of my knowledge."],
    [EXPORT, "The above is true and accurate to the best of my knowledge."],
  ),
  piece(
    "PDF: an Employee Signature line with the name",
    [DOCUMENT, "Employee Signature"],
    [PDF, "Employee Signature"],
    [FORM, 'signature: "Kari Nordmann"'],
  ),
  piece("PDF: the current date", [PDF_FORM, "formatDate(today)"], [FORM, 'date: "21 Nov 2026"']),
  piece(
    "PDF: footer form code 100-FORM-95 Rev 0",
    [PDF_FORM, "100-FORM-95 Rev 0"],
    [PDF, "100-FORM-95 Rev 0"],
    [EXPORT, "100-FORM-95 Rev 0"],
  ),
  piece(
    "PDF: file name OJT_Log_{name or User}_{YYYY-MM-DD}.pdf",
    ["app/pdf/file-name.ts", "OJT_Log_"],
    ["app/pdf/file-name.test.ts", "OJT_Log_Kari Nordmann_2026-11-21.pdf"],
    ["app/pdf/file-name.test.ts", 'toBe("User")'],
  ),
];
