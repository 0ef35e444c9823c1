/** `planloom serve`: a worker that resumes runs, with an HTTP API. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { deferred } from "../deferred.ts"
import { optional, reading, serving } from "./options.ts"

export const serve = Command.make(
  "serve",
  {
    paths: Argument.String("path").pipe(
      Argument.withDescription(
        "Workflow files, names or folders that clients may start over HTTP. Without any: all of workflows/",
      ),
      Argument.variadic(),
    ),
    port: Flag.Int("port").pipe(
      Flag.withMetavar("n"),
      Flag.withDescription("Port to listen on; 0 for any free port"),
      Flag.withDefault(8787),
    ),
    host: Flag.String("host").pipe(
      Flag.withMetavar("name"),
      Flag.withDescription(
        "Address to listen on. An address that other machines can reach requires a token in PLANLOOM_TOKEN, or an API key (planloom keys create)",
      ),
      Flag.withDefault("127.0.0.1"),
    ),
    attempts: Flag.Int("attempts").pipe(
      Flag.withMetavar("n"),
      Flag.withDescription(
        "A run fails after this many owners in a row that died or stood still without a new step of it",
      ),
      Flag.withDefault(5),
    ),
    maxWaiting: Flag.Int("max-waiting").pipe(
      Flag.withMetavar("n"),
      Flag.withDescription("Maximum number of waiting runs; further ones are rejected with 503"),
      Flag.withDefault(20_000),
    ),
    every: Flag.String("every").pipe(
      Flag.withMetavar("duration"),
      Flag.withDescription("Interval of the checks for killed runs and expired questions"),
      Flag.withDefault("1s"),
    ),
    rate: optional(
      Flag.Int("rate"),
      "n",
      "Requests per minute that a client (an API key, the token, or an address without either) may send; further ones are rejected with 429. `serve.rate` of planloom.yaml unless given; without either 6000 on an address that other machines can reach, otherwise unlimited",
    ),
    metrics: Flag.Boolean("metrics").pipe(
      Flag.withDescription(
        "Keep metrics of runs and requests, for Prometheus to read at /metrics; an API key needs the scope metrics:read. As `serve.metrics: true` of planloom.yaml",
      ),
      Flag.withDefault(false),
    ),
    watchdog: optional(
      Flag.String("watchdog"),
      "duration",
      "How long code of a run may keep the server's event loop from turning, from 500ms to 1h, or off; then the server ends with exit code 75, and the run executes alone. `serve.watchdog` of planloom.yaml unless given; without either 10s",
    ),
    drain: Flag.String("drain").pipe(
      Flag.withMetavar("duration"),
      Flag.withDescription(
        "How long calls in progress may take after Ctrl-C or SIGTERM; then they are interrupted, and the next worker repeats them",
      ),
      Flag.withDefault("25s"),
    ),
    watch: Flag.Boolean("watch").pipe(
      Flag.withDescription(
        "Load a workflow again when its files change: new runs use the new text, runs that have started keep theirs. With errors in it, the previous text stays in use. Code of plugins is not loaded again",
      ),
      Flag.withDefault(false),
    ),
    ...serving,
    ...reading,
  },
  deferred(async () => (await import("../serve/serveRuns.ts")).serveRuns),
).pipe(
  Command.withDescription(
    "Resume every run that can continue (killed runs, and runs whose question was answered or expired), and serve an HTTP API: show runs, follow their events, answer their questions, start and cancel them. Ctrl-C lets current steps finish and leaves the runs to the next worker.",
  ),
  Command.withShortDescription("Resume runs automatically, and serve an HTTP API"),
  Command.withExamples([
    { command: "planloom serve" },
    { command: "PLANLOOM_TOKEN=… planloom serve workflows/report.yaml --host 0.0.0.0" },
  ]),
)
