/** `planloom eval`: measures workflows on many cases. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { deferred } from "../deferred.ts"
import { cassette, json, off, optional, reading } from "./options.ts"

const calibrate = Command.make(
  "calibrate",
  {
    workflow: Argument.String("workflow").pipe(Argument.withDescription("Name of a workflow")),
    threshold: Flag.Literals("threshold", ["confidence"]).pipe(
      Flag.withMetavar("confidence"),
      Flag.withDescription("What to propose a threshold for"),
      Flag.withDefault("confidence" as const),
    ),
    stage: optional(
      Flag.String("stage"),
      "id",
      "The stage whose confidence it is; the only one that has one without it",
    ),
    maxWrong: Flag.Finite("max-wrong").pipe(
      Flag.withMetavar("share"),
      Flag.withDescription("The most answers that may be wrong, at the upper end of the interval"),
      Flag.withDefault(0.05),
    ),
    right: optional(
      Flag.String("right"),
      "expression",
      "CEL over inputs, outputs and status of a run: whether it was right",
    ),
    expect: optional(
      Flag.String("expect"),
      "file.eval.yaml",
      "An evaluation whose expectations judge runs with the inputs of its cases",
    ),
    since: optional(Flag.String("since"), "time", "Only runs started since: 2h, 3d, 2026-03-01"),
    json,
  },
  deferred(
    async () => (await import("../eval/calibrate/calibrateThreshold.ts")).calibrateThreshold,
  ),
).pipe(
  Command.withDescription(
    "Propose a threshold for the confidence of a stage from recorded runs: how often each threshold would ask, and how many of its answers would be wrong. Runs are judged by decided reviews, by answers to questions, by an evaluation and by an expression. Exits with 1 if there are too few for the target.",
  ),
  Command.withShortDescription("Propose a threshold from recorded runs"),
  Command.withExamples([
    {
      command: "planloom eval calibrate market_scout --threshold confidence --max-wrong 0.05",
    },
    {
      command: "planloom eval calibrate triage --right 'outputs.accepted' --since 30d",
      description: "Where an output says whether it was right",
    },
  ]),
)

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
  Command.withSubcommands([calibrate]),
)
