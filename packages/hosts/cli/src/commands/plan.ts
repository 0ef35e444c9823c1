/** `planloom plan`: a dry run. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { deferred } from "../deferred.ts"
import { inputs, json, optional, reading, workflow } from "./options.ts"

export const plan = Command.make(
  "plan",
  {
    workflow,
    ...inputs,
    json,
    maxCost: optional(
      Flag.Finite("max-cost"),
      "dollars",
      "Exit with code 100 if a run may cost more than this",
    ),
    ...reading,
  },
  deferred(async () => (await import("../plan/planRun.ts")).planRun),
).pipe(
  Command.withDescription(
    "Dry run: the order of the stages, the prompt and tools of each, the policies, and the maximum of model calls, tokens and cost of a run. Calls no model and no tool.",
  ),
  Command.withShortDescription("Dry run: order, prompts, worst-case cost; calls no model"),
  Command.withExamples([
    { command: 'planloom plan plan --input request="Compare the regions"' },
    {
      command: "planloom plan plan --inputs ci/inputs.json --max-cost 0.50",
      description: "A gate of CI",
    },
  ]),
)
