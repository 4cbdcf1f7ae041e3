import type { Category, Level, Method } from "#app/db/enumerations.ts";
import { certificateKind, type NewCertificate } from "#app/records/certificates/certificate.kind.ts";
import type { Kind } from "#app/records/kind.ts";
import { type NewTraining, trainingKind } from "#app/records/training/training.kind.ts";
import { INSTRUCTOR } from "./people.ts";
import type { PlannedRecord } from "./year.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** The progress of a record: without a request, requested, or verified. */
type Step = "pending" | "requested" | "verified";

interface PlannedEvidence {
  kind: Kind;
  planned: PlannedRecord<object>;
}

/**
 * The training, certificates and tests of the demo technician. Towards Level II in UT (demo/targets.ts) the training is met, the vision test
 * ends soon, a mark of the examination waits, and of the hours most are missing.
 */
export function evidenceOf(now: Date): PlannedEvidence[] {
  const day = (daysAgo: number) => new Date(now.getTime() - daysAgo * DAY_MS).toISOString().slice(0, 10);
  const planned = (kind: Kind, daysAgo: number, step: Step, values: object): PlannedEvidence => {
    const at = (later: number) => new Date(now.getTime() - daysAgo * DAY_MS + later * DAY_MS);
    return {
      kind,
      planned: {
        values,
        supervisor: INSTRUCTOR,
        loggedAt: at(0),
        requestedAt: step === "pending" ? null : at(0.1),
        verifiedAt: step === "verified" ? at(0.9) : null,
      },
    };
  };
  const course = (
    daysAgo: number,
    values: Omit<NewTraining, "organization" | "instructor" | "startDate" | "endDate">,
  ) =>
    planned(trainingKind, daysAgo, "verified", {
      startDate: day(daysAgo + 5),
      endDate: day(daysAgo + 1),
      organization: "Nordlys NDT Academy",
      instructor: "Hanne Vik",
      ...values,
    } satisfies NewTraining);
  const certificate = (
    daysAgo: number,
    step: Step,
    title: string,
    category: Category,
    values: Partial<NewCertificate>,
  ) =>
    planned(certificateKind, daysAgo, step, {
      ...{ title, category, standard: null, method: null, level: null, part: null, number: null },
      ...{ issuer: category === "other" ? null : "Nordlys NDT Academy", issuedOn: day(daysAgo + 3), expiresOn: null },
      ...{ score: null, attempt: null, originalLocation: null, basis: null, scope: null, distance: null },
      ...{ corrected: null, administeredBy: null, revokedOn: null, revokedReason: null },
      ...values,
    } satisfies NewCertificate);
  const ut = { standard: "SNT-TC-1A", method: "UT" as Method };
  const mark = (part: "general" | "specific" | "practical", score: number, step: Step) =>
    certificate(12, step, `UT Level II, ${part} examination`, "examination", {
      ...{ ...ut, level: "Level II" as Level, part, score, attempt: 1 },
    });
  return [
    certificate(341, "verified", "IRATA Level 1", "certificate", {
      ...{ standard: "IRATA", level: "Level I", number: "1/123456", issuer: "Severn Rope Access", basis: "body" },
      ...{ expiresOn: day(341 - 3 * 365) },
    }),
    certificate(336, "verified", "UT Level I", "certificate", {
      ...{ ...ut, level: "Level I", number: "NNA-UT1-0231", basis: "employer", expiresOn: day(336 - 5 * 365) },
      scope: "Contact testing of welds and plates",
    }),
    certificate(320, "verified", "Near vision", "near_vision", {
      ...{ standard: "Jaeger 2", expiresOn: day(323 - 365), distance: "40 cm", corrected: "no" },
      administeredBy: "Ingrid Solheim, optometrist",
    }),
    certificate(320, "verified", "Colour vision", "colour_vision", { standard: "Ishihara" }),
    course(250, { course: "Magnetic testing, Level I", method: "MT", level: "Level I", hours: 12 }),
    course(180, { course: "Ultrasonic testing, Level II", method: "UT", level: "Level II", hours: 40 }),
    mark("general", 86, "verified"),
    mark("specific", 82.5, "requested"),
    mark("practical", 90, "pending"),
    certificate(40, "pending", "H2S awareness", "other", { issuedOn: day(340), expiresOn: day(-25) }),
  ];
}
