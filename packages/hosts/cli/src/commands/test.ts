/** `planloom test`: runs the tests of workflows without a model. */
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
      "Run a workflow on the inputs of its stages' examples, and compare the stages' outputs with the examples. The tested example is left out of its stage's prompt; --set, --env and --flag work as in run",
    ),
    filter: optional(Flag.String("filter"), "text", "Only tests whose name contains this text"),
    update: off("update", "Rewrite the snapshots and the baseline"),
    record: optional(
      Flag.String("record"),
      "folder",
      "Run tests without scripted replies on the real models and tools, and record their calls; cassettes named by tests are rewritten",
    ),
    replay: optional(
      Flag.String("replay"),
      "folder",
      "Answer tests without scripted replies from a folder that --record wrote",
    ),
    metrics: off(
      "metrics",
      "Print metrics of the plans, the confidence of the stages and how well it matches the expectations",
    ),
    baseline: optional(
      Flag.String("baseline"),
      "file.json",
      "Fail if a metric of the plans is worse than in this file",
    ),
    reporter: Flag.Literals("reporter", ["pretty", "junit", "json"]).pipe(
      Flag.withMetavar("pretty|junit|json"),
      Flag.withDescription("Format of the report"),
      Flag.withDefault("pretty"),
    ),
    userText: optional(
      Flag.String("user"),
      "@file.json",
      "With --examples: the user of every run, as JSON or from a file; a test names its own under given",
    ),
    ...reading,
  },
  deferred(async () => (await import("../test/testFiles.ts")).testFiles),
).pipe(
  Command.withDescription(
    "Run *.test.yaml files: scripted model replies, tool stubs and the conversation before in, assertions on the result, the prompts and the calls. Needs no key and no network.",
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
      description: "Test the examples against recorded replies",
    },
  ]),
)
