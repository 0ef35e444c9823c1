/** `planloom experiments`: lists experiments and compares their variants. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { deferred } from "../deferred.ts"
import { json, reading, workflow } from "./options.ts"

const list = Command.make(
  "list",
  { workflow, json, ...reading },
  deferred(async () => (await import("../experiments/listExperiments.ts")).listExperiments),
).pipe(Command.withDescription("List the experiments of a workflow and of its hook sets."))

const report = Command.make(
  "report",
  {
    workflow,
    experiment: Argument.String("experiment").pipe(
      Argument.withDescription("One experiment; all of them without it"),
      Argument.withDefault(undefined),
    ),
    json,
    ...reading,
  },
  deferred(async () => (await import("../experiments/reportExperiments.ts")).reportExperiments),
).pipe(
  Command.withDescription(
    "Compare the variants of experiments over recorded runs: outcomes with 95 % intervals, differences to the control, and whether units fall to variants as declared.",
  ),
  Command.withShortDescription("Compare variants over recorded runs"),
)

export const experiments = Command.make("experiments").pipe(
  Command.withDescription("List experiments and compare their variants."),
  Command.withSubcommands([list, report]),
)
