/** `planloom eval`: measures workflows on many cases. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { deferred } from "../deferred.ts"
import { cassette, json, off, reading } from "./options.ts"

export const evaluate = Command.make(
  "eval",
  {
    paths: Argument.String("path").pipe(
      Argument.withDescription(
        "Evaluation files or folders. Without any: all *.eval.yaml of the project",
      ),
      Argument.variadic(),
    ),
    filter: Flag.String("filter").pipe(
      Flag.withMetavar("text"),
      Flag.withDescription("Only the cases whose name holds this text"),
      Flag.withDefault(undefined),
    ),
    variant: Flag.String("variant").pipe(
      Flag.withMetavar("name"),
      Flag.withDescription("Only this variant of the workflow. May be repeated"),
      Flag.atLeast(0),
    ),
    repeat: Flag.Int("repeat").pipe(
      Flag.withMetavar("n"),
      Flag.withDescription("Runs of each case, instead of what the file says"),
      Flag.withDefault(undefined),
    ),
    concurrency: Flag.Int("concurrency").pipe(
      Flag.withMetavar("n"),
      Flag.withDescription("Runs at the same time, instead of what the file says"),
      Flag.withDefault(undefined),
    ),
    record: Flag.String("record").pipe(
      Flag.withMetavar("folder"),
      Flag.withDescription("Record every call, each run in a folder of its own"),
      Flag.withDefault(undefined),
    ),
    replay: cassette.replay,
    ...reading,
    maxCost: Flag.Finite("max-cost").pipe(
      Flag.withMetavar("dollars"),
      Flag.withDescription("End when all runs together have spent this much"),
      Flag.withDefault(undefined),
    ),
    baseline: Flag.String("baseline").pipe(
      Flag.withMetavar("file.json"),
      Flag.withDescription("Figures of an earlier time: they are shown, and gates can read them"),
      Flag.withDefault(undefined),
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
