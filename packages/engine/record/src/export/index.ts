/** Exported runs: one JSON document each, written and read back. */
export { parseRunFile, runFileText, type RunFile } from "./RunFile.ts"
