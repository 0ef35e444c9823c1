/** `planloom doctor`: checks the machine and the project for common problems. */
import * as Command from "effect/cli/Command"
import { deferred } from "../deferred.ts"
import { json, off } from "./options.ts"

export const doctor = Command.make(
  "doctor",
  {
    json,
    warm: off(
      "warm",
      "Load the local models that workflows call first, and report the time to the first token, cold and loaded. Servers that need a key are skipped",
    ),
  },
  deferred(async () => (await import("../doctor/examine.ts")).examine),
).pipe(
  Command.withDescription(
    "Check this machine and project: Node's version, the project's files, plugins, providers and their keys (by name, never by value), the folder for runs.",
  ),
  Command.withShortDescription("Check this machine and project"),
)
