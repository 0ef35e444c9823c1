/** The person at the command line, for records and the audit list: beside the name that a flag gives. */
import { userInfo } from "node:os"

/** `shell:` and the name of the user of this machine. */
export const viaShell = (): string => {
  try {
    return `shell:${userInfo().username}`
  } catch {
    // The id of the user has no name here, as in some containers.
    return `shell:${process.getuid?.() ?? "unknown"}`
  }
}
