/** Compares inputs that are given again with those that a run was started with: what was approved stays as it was. */
import * as Effect from "effect/Effect"
import type {
  Json,
  JsonObject,
  PersonalDigests,
  RunRecord,
  RunStore,
  StoreFailed,
} from "@planloom/plugin/effect"
import { canonicalJson, escapeStep } from "@planloom/schema"
import type { Pipeline } from "../../pipeline/Pipeline.ts"
import { InputsRejected } from "../InputsRejected.ts"
import { markedPersonal } from "./personal.ts"
import { isDigestOf } from "./digestPersonal.ts"

/** Inputs as recorded: personal ones as placeholders, and their digests. */
export interface StartedWith {
  readonly inputs: JsonObject
  readonly personalDigests: PersonalDigests
}

/** A run without placeholders has no digests to read. */
export const startedWith = (
  store: RunStore,
  { inputs, run }: Pick<RunRecord, "inputs" | "run">,
): Effect.Effect<StartedWith, StoreFailed> =>
  Effect.map(
    markedPersonal(inputs).length === 0 ? Effect.undefined : store.personalDigests(run),
    (personalDigests = {}) => ({ inputs: inputs as JsonObject, personalDigests }),
  )

/** `path` leads into the inputs. */
export interface InputIssue {
  readonly input: string
  readonly path: string
  readonly message: string
}

const issue = (input: string, message: string): InputIssue => ({
  input,
  path: `/${escapeStep(input)}`,
  message,
})

/** The refusal of inputs that are given again: none but the personal ones are taken, with the same values. */
export const refusedInputs = (
  started: StartedWith,
  again: JsonObject,
): Effect.Effect<ReadonlyArray<InputIssue>> => {
  const others = notPersonal(started, again)
  return others.length > 0
    ? Effect.succeed(others)
    : differences(Object.keys(again), (name) => personalIssue(started, name, again[name]!))
}

/** The same without a look at the values. */
export const notPersonal = (
  { inputs, personalDigests }: StartedWith,
  again: JsonObject,
): ReadonlyArray<InputIssue> =>
  Object.keys(again)
    .filter((name) => !Object.hasOwn(personalDigests, name))
    .map((name) =>
      issue(
        name,
        Object.hasOwn(inputs, name)
          ? "is recorded with the run, which keeps it; only personal inputs are given again"
          : "is not among the inputs that the run was started with",
      ),
    )

/** Personal inputs that are not given again. */
export const missingInputs = (
  { personalDigests }: StartedWith,
  again: JsonObject,
): ReadonlyArray<string> =>
  Object.keys(personalDigests).filter((name) => !Object.hasOwn(again, name))

/**
 * How all inputs of a run, with defaults, differ from those that it was started with. An input that it did not have may
 * only be the default of a newer workflow. `kept` is what a record would hold of them.
 */
export const changedInputs = (
  { inputs: { defaults } }: Pipeline,
  started: StartedWith,
  all: JsonObject,
  kept: Json,
): Effect.Effect<ReadonlyArray<InputIssue>> => {
  const { inputs, personalDigests } = started
  const names = new Set([...Object.keys(inputs), ...Object.keys(all)])
  return differences([...names], (name) => {
    if (!Object.hasOwn(all, name)) return Effect.succeed(issue(name, "is missing"))
    const value = all[name]!
    if (Object.hasOwn(personalDigests, name)) return personalIssue(started, name, value)
    const before = Object.hasOwn(inputs, name) ? inputs[name] : defaults[name]
    const isSame =
      before !== undefined &&
      (isEqual(value, before) || isEqual((kept as JsonObject)[name] ?? null, before))
    return Effect.succeed(isSame ? undefined : issue(name, DIFFERENT))
  })
}

const DIFFERENT = "is not the value that the run was started with"

const isEqual = (a: Json, b: Json): boolean => canonicalJson(a) === canonicalJson(b)

const personalIssue = (
  { personalDigests }: StartedWith,
  name: string,
  value: Json,
): Effect.Effect<InputIssue | undefined> => {
  const digest = personalDigests[name] ?? null
  return digest === null
    ? Effect.succeed(
        issue(name, "was erased, so that no value can be shown to be that of the run's start"),
      )
    : Effect.map(isDigestOf(digest, value), (same) => (same ? undefined : issue(name, DIFFERENT)))
}

const differences = (
  names: ReadonlyArray<string>,
  compare: (name: string) => Effect.Effect<InputIssue | undefined>,
): Effect.Effect<ReadonlyArray<InputIssue>> =>
  Effect.map(Effect.forEach(names, compare, { concurrency: "unbounded" }), (found) =>
    found.filter((one) => one !== undefined),
  )

/** The refusal of inputs of a run that exists. */
export const inputsKept = (
  workflow: string,
  run: string,
  issues: ReadonlyArray<InputIssue>,
): InputsRejected =>
  new InputsRejected({
    workflow,
    subject: "inputs",
    message: `the run ${run} keeps the inputs that it was started with: ${issues
      .map(({ input, message }) => `"${input}" ${message}`)
      .join("; ")}`,
    issues: issues.map(({ message, path }) => ({ path, message })),
  })
