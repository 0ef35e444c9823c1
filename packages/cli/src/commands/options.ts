/** Flags and arguments that several commands share, so that they mean the same everywhere. */
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"

/** A flag with a value, which may be left away. */
export const optional = <A>(flag: Flag.Flag<A>, metavar: string, description: string) =>
  flag.pipe(
    Flag.withMetavar(metavar),
    Flag.withDescription(description),
    Flag.withDefault(undefined),
  )

/** What `--set`, `--env` and `--flag` say about how to read a workflow. */
export interface ReadingFlags {
  readonly set: ReadonlyArray<string>
  readonly env: string | undefined
  readonly flag: ReadonlyArray<string>
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
    Flag.withDescription(
      "Switch a flag of the workflow; PLANLOOM_FLAG_NAME does the same. May be repeated",
    ),
    Flag.atLeast(0),
  ),
}

/** What `--input` and `--inputs` say. */
export interface InputFlags {
  readonly input: ReadonlyArray<string>
  readonly inputs: string | undefined
}

export const inputs = {
  input: Flag.String("input").pipe(
    Flag.withAlias("i"),
    Flag.withMetavar("name=value"),
    Flag.withDescription(
      "One input of the workflow, read as its type says; name=@file takes it from a file. May be repeated",
    ),
    Flag.atLeast(0),
  ),
  inputs: optional(
    Flag.String("inputs"),
    "file.json",
    "Inputs from a JSON file, or - for standard input; --input wins",
  ),
}

/** What `--record` and `--replay` say. */
export const cassette = {
  record: optional(
    Flag.String("record"),
    "folder",
    "Record every call of a model, a tool or a step as files to read and compare; secrets are left out",
  ),
  replay: optional(
    Flag.String("replay"),
    "folder",
    "Answer every call from what --record wrote: nothing is asked and no tool runs. What does not fit is an error",
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

/** Of a list. */
export const limit = Flag.Int("limit").pipe(
  Flag.withMetavar("n"),
  Flag.withDescription("How many to show at most"),
  Flag.withDefault(20),
)

export const out = (what: string) =>
  Flag.String("out").pipe(
    Flag.withAlias("o"),
    Flag.withMetavar("path"),
    Flag.withDescription(what),
    Flag.withDefault(undefined),
  )

/** A switch that is off unless it is given. */
export const off = (name: string, description: string) =>
  Flag.Boolean(name).pipe(
    Flag.withDescription(description),
    Flag.withDefault(false),
    Flag.withoutNegation,
  )
