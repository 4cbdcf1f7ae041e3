/** The fixed vocabularies of spec section 3, as they are stored. Pure, so that the browser can have them too. */

export const METHODS = ["ET", "RFT", "MT", "PT", "RT", "UT_THK", "UTSW", "PMI", "LSI"] as const;
export type Method = (typeof METHODS)[number];

export const CERTIFICATION_LEVELS = ["Level I", "Level II", "Level III"] as const;
export type CertificationLevel = (typeof CERTIFICATION_LEVELS)[number];
