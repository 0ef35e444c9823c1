/** `planloom serve`: goes on with runs by itself, and answers over HTTP. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { deferred } from "../deferred.ts"
import { reading } from "./options.ts"

export const serve = Command.make(
  "serve",
  {
    paths: Argument.String("path").pipe(
      Argument.withDescription(
        "Workflow files, names or folders that may be begun over HTTP. Without any: all of workflows/",
      ),
      Argument.variadic(),
    ),
    port: Flag.Int("port").pipe(
      Flag.withMetavar("n"),
      Flag.withDescription("Port to listen at; 0 for any that is free"),
      Flag.withDefault(8787),
    ),
    host: Flag.String("host").pipe(
      Flag.withMetavar("name"),
      Flag.withDescription(
        "Address to listen at. One that others can reach needs a token in PLANLOOM_TOKEN",
      ),
      Flag.withDefault("127.0.0.1"),
    ),
    concurrency: Flag.Int("concurrency").pipe(
      Flag.withMetavar("n"),
      Flag.withDescription("Runs at once"),
      Flag.withDefault(4),
    ),
    attempts: Flag.Int("attempts").pipe(
      Flag.withMetavar("n"),
      Flag.withDescription(
        "A run that was taken up so often without a new step, because it kills its process, is ended as failed",
      ),
      Flag.withDefault(5),
    ),
    maxWaiting: Flag.Int("max-waiting").pipe(
      Flag.withMetavar("n"),
      Flag.withDescription("Runs that may wait; while they do, another one is refused with 503"),
      Flag.withDefault(20_000),
    ),
    every: Flag.String("every").pipe(
      Flag.withMetavar("duration"),
      Flag.withDescription("In which time a killed run or an expired question is noticed"),
      Flag.withDefault("1s"),
    ),
    ...reading,
  },
  deferred(async () => (await import("../serve/serveRuns.ts")).serveRuns),
).pipe(
  Command.withDescription(
    "Go on with every recorded run that can by itself (killed ones, those whose question was answered or has expired), and answer over HTTP: look at runs, follow their events, answer their questions, begin and end them. Ctrl-C lets the steps under way end and leaves the runs to whoever comes next.",
  ),
  Command.withShortDescription("Go on with runs by itself, and answer over HTTP"),
  Command.withExamples([
    { command: "planloom serve" },
    { command: "PLANLOOM_TOKEN=… planloom serve workflows/report.yaml --host 0.0.0.0" },
  ]),
)
