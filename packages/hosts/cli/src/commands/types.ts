/** `planloom types`: TypeScript types of a workflow's inputs and outputs. */
import * as Command from "effect/cli/Command"
import { deferred } from "../deferred.ts"
import { out, reading, workflow } from "./options.ts"

export const types = Command.make(
  "types",
  { workflow, out: out("File to write to instead of standard output"), ...reading },
  deferred(async () => (await import("../author/writeTypes.ts")).writeTypes),
).pipe(
  Command.withDescription("Print TypeScript types of a workflow's inputs and outputs."),
  Command.withShortDescription("TypeScript types of inputs and outputs"),
  Command.withExamples([{ command: "planloom types workflows/plan.yaml --out src/plan.types.ts" }]),
)
