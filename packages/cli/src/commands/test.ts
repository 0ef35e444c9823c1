/** `planloom test`: runs workflows against what their tests expect, without a model. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { deferred } from "../deferred.ts"
import { off, optional, reading } from "./options.ts"

export const test = Command.make(
  "test",
  {
    paths: Argument.String("path").pipe(
      Argument.withDescription(
        "Test files or folders, or a workflow with --examples. Without any: all *.test.yaml of the project",
      ),
      Argument.variadic(),
    ),
    examples: off(
      "examples",
      "Run a workflow on the inputs of its stages' examples, and compare what the stages give. The example that is tested is left out of what its stage is shown; --set, --env and --flag read the workflow as in run",
    ),
    filter: optional(Flag.String("filter"), "text", "Only the tests whose name holds this text"),
    update: off("update", "Write the snapshots and the baseline anew"),
    record: optional(
      Flag.String("record"),
      "folder",
      "Run tests without scripted replies on the real models and tools, and record their calls; cassettes that tests name are written anew",
    ),
    replay: optional(
      Flag.String("replay"),
      "folder",
      "Answer tests without scripted replies from what --record wrote",
    ),
    metrics: off("metrics", "Print how well the plans were made, and how sure the stages were"),
    baseline: optional(
      Flag.String("baseline"),
      "file.json",
      "Fail when a metric of the plans is worse than in this file",
    ),
    reporter: Flag.Literals("reporter", ["pretty", "junit", "json"]).pipe(
      Flag.withMetavar("pretty|junit|json"),
      Flag.withDescription("How to print what happened"),
      Flag.withDefault("pretty"),
    ),
    ...reading,
  },
  deferred(async () => (await import("../test/testFiles.ts")).testFiles),
).pipe(
  Command.withDescription(
    "Run *.test.yaml files: scripted model replies and tool stubs in, assertions on the result. Needs no key and no network.",
  ),
  Command.withShortDescription("Run *.test.yaml files without a key"),
  Command.withExamples([
    { command: "planloom test" },
    { command: "planloom test --reporter junit > report.xml" },
    { command: "planloom test --metrics --baseline workflows/data_analyst.metrics.json" },
    { command: "planloom test workflows/assistant.yaml --examples" },
    {
      command:
        "planloom test workflows/assistant.yaml --examples --env staging --replay recordings",
      description: "Hold the examples against recorded replies",
    },
  ]),
)
