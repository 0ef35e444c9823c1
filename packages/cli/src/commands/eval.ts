/** `planloom eval`: measures workflows on many cases. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { deferred } from "../deferred.ts"
import { cassette, json, off, optional, reading } from "./options.ts"

export const evaluate = Command.make(
  "eval",
  {
    paths: Argument.String("path").pipe(
      Argument.withDescription(
        "Evaluation files or folders. Without any: all *.eval.yaml of the project",
      ),
      Argument.variadic(),
    ),
    filter: optional(Flag.String("filter"), "text", "Only the cases whose name holds this text"),
    variant: Flag.String("variant").pipe(
      Flag.withMetavar("name"),
      Flag.withDescription("Only this variant of the workflow. May be repeated"),
      Flag.atLeast(0),
    ),
    repeat: optional(Flag.Int("repeat"), "n", "Runs of each case, instead of what the file says"),
    concurrency: optional(
      Flag.Int("concurrency"),
      "n",
      "Runs at the same time, instead of what the file says",
    ),
    record: optional(
      Flag.String("record"),
      "folder",
      "Record every call, each run in a folder of its own",
    ),
    replay: cassette.replay,
    ...reading,
    maxCost: optional(
      Flag.Finite("max-cost"),
      "dollars",
      "End when all runs together have spent this much",
    ),
    baseline: optional(
      Flag.String("baseline"),
      "file.json",
      "Figures of an earlier time: they are shown, and gates can read them",
    ),
    update: off("update", "Write the baseline anew"),
    limit: Flag.Int("limit").pipe(
      Flag.withMetavar("n"),
      Flag.withDescription("How many runs that did not pass are shown at most"),
      Flag.withDefault(10),
    ),
    reporter: Flag.Literals("reporter", ["pretty", "json", "junit"]).pipe(
      Flag.withMetavar("pretty|json|junit"),
      Flag.withDescription("How to print what was measured"),
      Flag.withDefault("pretty"),
    ),
    json,
    out: Flag.String("out").pipe(
      Flag.withAlias("o"),
      Flag.withMetavar("path"),
      Flag.withDescription(
        "Write it to a file as well: the report to .json, .xml (JUnit) or .txt, a line for each run as it ends to .jsonl. May be repeated",
      ),
      Flag.atLeast(0),
    ),
  },
  deferred(async () => (await import("../eval/evaluateFiles.ts")).evaluateFiles),
).pipe(
  Command.withDescription(
    "Measure workflows on *.eval.yaml files: how many cases pass and how sure that is, scores, time, calls and cost, and whether one variant is better than another. Asks real models, or a recording, or works without a key as `run` does. Ends with 100 when a gate does not hold. Ctrl-C ends it; what was measured is shown.",
  ),
  Command.withShortDescription("Measure workflows on many cases"),
  Command.withExamples([
    { command: "planloom eval" },
    {
      command: "planloom eval workflows/plan.eval.yaml --repeat 5 --max-cost 2",
      description: "On real models, for two dollars at most",
    },
    {
      command: "planloom eval --replay recordings --baseline baseline.json --out report.xml",
      description: "In CI, without a key",
    },
  ]),
)
