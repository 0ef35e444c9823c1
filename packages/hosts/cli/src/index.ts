/** Exports for hosts: the bundled plugins by name, and the exit codes. */
export { exitCodes, type ExitName } from "./ExitCode.ts"
export { bundledPlugins } from "./project/bundledPlugins.ts"
