/** `planloom doctor`: whether everything here is as it should be. */
import * as Command from "effect/cli/Command"
import { deferred } from "../deferred.ts"
import { json } from "./options.ts"

export const doctor = Command.make(
  "doctor",
  { json },
  deferred(async () => (await import("../doctor/examine.ts")).examine),
).pipe(
  Command.withDescription(
    "Examine this machine and project: Node's version, the project's files, plugins, providers and their keys (by name, never by value), the folder for runs.",
  ),
  Command.withShortDescription("Examine this machine and project"),
)
