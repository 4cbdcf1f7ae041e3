/** The version of the app, as package.json and CHANGELOG.md have it; tests/spec/version.test.ts compares them. */
export const VERSION = "0.1.0";
