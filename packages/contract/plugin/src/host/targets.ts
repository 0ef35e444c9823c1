/** Targets of writes: the file that a path leads to, and folders that a project file names. */
export { realTarget } from "./realTarget.ts"
export { requireFolder } from "./requireFolder.ts"
