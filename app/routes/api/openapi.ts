// Apart from the list of endpoints: a build for the browser takes the loaders out of route modules, which that list imports.
export { description as action, description as loader } from "./all-endpoints.server.ts";
