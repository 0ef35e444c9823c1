/** Flags and arguments that several commands share. */
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"

/** An optional flag with a value. */
export const optional = <A>(flag: Flag.Flag<A>, metavar: string, description: string) =>
  flag.pipe(
    Flag.withMetavar(metavar),
    Flag.withDescription(description),
    Flag.withDefault(undefined),
  )

/** Values of `--set`, `--env` and `--flag`, which change how a workflow is read. */
export interface ReadingFlags {
  readonly set: ReadonlyArray<string>
  readonly env: string | undefined
  readonly flag: ReadonlyArray<string>
  /** Files that a person named among the inputs. */
  readonly files?: ReadonlyArray<string>
}

export const reading = {
  set: Flag.String("set").pipe(
    Flag.withMetavar("path=value"),
    Flag.withDescription(
      "Replace a value of the workflow file, for example policies.budget.tokens=5000. May be repeated",
    ),
    Flag.atLeast(0),
  ),
  env: optional(Flag.String("env"), "name", "Use this environment of planloom.yaml"),
  flag: Flag.String("flag").pipe(
    Flag.withMetavar("name=value"),
    Flag.withDescription("Set a flag of the workflow, as PLANLOOM_FLAG_NAME does. May be repeated"),
    Flag.atLeast(0),
  ),
}

/** A boolean flag that is off by default. */
export const off = (name: string, description: string) =>
  Flag.Boolean(name).pipe(
    Flag.withDescription(description),
    Flag.withDefault(false),
    Flag.withoutNegation,
  )

/** Flags of commands that execute the runs of clients. */
export const serving = {
  concurrency: Flag.Int("concurrency").pipe(
    Flag.withMetavar("n"),
    Flag.withDescription(
      "Maximum number of concurrent runs. Most of them wait for models, so that more than the processors help; fewer for workflows that compute, or read large tables",
    ),
    Flag.withDefault(32),
  ),
  log: Flag.Boolean("log").pipe(
    Flag.withDescription(
      "Print a line on standard error for each run that ends or waits for an answer",
    ),
    Flag.withDefault(false),
  ),
  logJson: off(
    "log-json",
    "Print these lines as JSON, with the members at, level, run, workflow, outcome and message",
  ),
}

/** Values of `--input`, `--inputs` and `--user`. */
export interface InputFlags extends UserFlags {
  readonly input: ReadonlyArray<string>
  readonly inputs: string | undefined
}

export interface UserFlags {
  /** JSON, or `@` and the path of a file. */
  readonly userText: string | undefined
}

export const inputs = {
  input: Flag.String("input").pipe(
    Flag.withAlias("i"),
    Flag.withMetavar("name=value"),
    Flag.withDescription(
      "One input of the workflow, parsed by its type; name=@file reads it from a file. May be repeated",
    ),
    Flag.atLeast(0),
  ),
  inputs: optional(
    Flag.String("inputs"),
    "file.json",
    "Inputs from a JSON file, or - for standard input; --input takes precedence",
  ),
  userText: optional(
    Flag.String("user"),
    "@file.json",
    "The user that the run is for, as JSON or from a file; the workflow must declare `user:`",
  ),
}

/** Flags `--record` and `--replay`. */
export const cassette = {
  record: optional(
    Flag.String("record"),
    "folder",
    "Record every model call, tool call and step as readable files, without secrets",
  ),
  replay: optional(
    Flag.String("replay"),
    "folder",
    "Answer every call from a folder that --record wrote: no model and no tool is called. A call that is not recorded is an error",
  ),
}

export const workflow = Argument.String("workflow").pipe(
  Argument.withDescription("A workflow file, or the name of one in workflows/"),
)

export const optionalWorkflow = workflow.pipe(Argument.withDefault(undefined))

export const json = Flag.Boolean("json").pipe(
  Flag.withDescription("Print JSON instead of text"),
  Flag.withDefault(false),
  Flag.withoutNegation,
)

/** Maximum number of rows of a list. */
export const limit = Flag.Int("limit").pipe(
  Flag.withMetavar("n"),
  Flag.withDescription("Maximum number to show"),
  Flag.withDefault(20),
)

export const out = (what: string) =>
  Flag.String("out").pipe(
    Flag.withAlias("o"),
    Flag.withMetavar("path"),
    Flag.withDescription(what),
    Flag.withDefault(undefined),
  )
