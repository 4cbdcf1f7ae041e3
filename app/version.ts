import { version } from "../package.json";

/** The version of the app: that of package.json. */
export const VERSION: string = version;
