export { default } from "#bench/executable.ts";
