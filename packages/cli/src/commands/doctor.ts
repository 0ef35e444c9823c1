/** `planloom doctor`: whether everything here is as it should be. */
import * as Command from "effect/cli/Command"
import { deferred } from "../deferred.ts"
import { json, off } from "./options.ts"

export const doctor = Command.make(
  "doctor",
  {
    json,
    warm: off(
      "warm",
      "Load the models of this machine that workflows ask first, and say how long a first token takes: once cold, once loaded. Servers that want a key are not asked",
    ),
  },
  deferred(async () => (await import("../doctor/examine.ts")).examine),
).pipe(
  Command.withDescription(
    "Examine this machine and project: Node's version, the project's files, plugins, providers and their keys (by name, never by value), the folder for runs.",
  ),
  Command.withShortDescription("Examine this machine and project"),
)
