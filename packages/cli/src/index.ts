/** For hosts that want what the command has: its plugins by name, and its exit codes. */
export { exitCodes, type ExitName } from "./ExitCode.ts"
export { bundledPlugins } from "./project/bundledPlugins.ts"
