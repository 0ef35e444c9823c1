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
    filter: optional(Flag.String("filter"), "text", "Only cases whose name contains this text"),
    variant: Flag.String("variant").pipe(
      Flag.withMetavar("name"),
      Flag.withDescription("Only this variant of the workflow. May be repeated"),
      Flag.atLeast(0),
    ),
    repeat: optional(Flag.Int("repeat"), "n", "Runs per case; overrides the file"),
    concurrency: optional(Flag.Int("concurrency"), "n", "Concurrent runs; overrides the file"),
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
      "Stop when all runs together have cost this much",
    ),
    baseline: optional(
      Flag.String("baseline"),
      "file.json",
      "Figures of an earlier evaluation, to compare with; gates can read them",
    ),
    update: off("update", "Rewrite the baseline"),
    limit: Flag.Int("limit").pipe(
      Flag.withMetavar("n"),
      Flag.withDescription("Maximum number of failed runs, and of runs with misses, to show"),
      Flag.withDefault(10),
    ),
    reporter: Flag.Literals("reporter", ["pretty", "json", "junit"]).pipe(
      Flag.withMetavar("pretty|json|junit"),
      Flag.withDescription("Format of the report"),
      Flag.withDefault("pretty"),
    ),
    json,
    out: Flag.String("out").pipe(
      Flag.withAlias("o"),
      Flag.withMetavar("path"),
      Flag.withDescription(
        "Also write to a file: the report to .json, .xml (JUnit) or .txt, one line per finished run to .jsonl. May be repeated",
      ),
      Flag.atLeast(0),
    ),
  },
  deferred(async () => (await import("../eval/evaluateFiles.ts")).evaluateFiles),
).pipe(
  Command.withDescription(
    "Measure workflows on *.eval.yaml files: pass rate with its confidence interval, scores, time, calls and cost, and comparisons of variants. Calls real models, replays a recording, or runs without a model if there is no key, as `run` does. Exits with 100 when a gate fails. Ctrl-C stops it and shows the results so far.",
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
