/** The folder in which a run keeps its files. */
import { join, sep } from "node:path"

/** Holds the folders of all runs unless a host names another one. */
export const WORKSPACE = ".planloom/work"

/** Ids that are the same folder name on every file system, whether it distinguishes case or not. */
const plain = /^(?!(?:con|prn|aux|nul|com\d|lpt\d)$)[0-9a-z][0-9a-z_-]{0,63}$/

/**
 * The path of a run's folder in `root`. An id is data, perhaps of an HTTP client: one that is not safe as a
 * folder's name is replaced by its digest, which is longer than any name that is used directly.
 */
export const runFolder = (root: string, run: string): string =>
  `${prefixOf(root)}${plain.test(run) ? run : `id-${process.getBuiltinModule("node:crypto").hash("sha256", run)}`}`

/** Kept for the last root, because the runs of a host have the same one. */
let kept = { root: "", prefix: "" }

const prefixOf = (root: string): string => {
  if (kept.root !== root) kept = { root, prefix: root === "" ? "" : join(root, sep) }
  return kept.prefix
}
