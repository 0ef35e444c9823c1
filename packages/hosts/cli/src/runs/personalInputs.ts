/** Reads the personal inputs of a recorded run, which its record does not contain, before the run is resumed. */
import type {
  JsonObject,
  JsonSchema,
  RunRecord,
  RunStore,
  StoreFailed,
} from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { LoadedWorkflow } from "@planloom/core"
import type { InputIssue, StartedWith } from "@planloom/core/internal"
import type { InputFlags } from "../commands/options.ts"
import { usage, type Refused } from "../Refused.ts"
import { readInputs } from "../run/inputs.ts"

type GivenInputs = Pick<InputFlags, "input" | "inputs">

const internal = Effect.promise(() => import("@planloom/core/internal"))

/** Returns the run's inputs. Only personal ones may be passed, with the values that the run was started with. */
export const readPersonalInputs = (
  store: RunStore,
  loaded: LoadedWorkflow,
  record: Pick<RunRecord, "inputs" | "run">,
  flags: GivenInputs,
): Effect.Effect<JsonObject, Refused | StoreFailed> =>
  Effect.gen(function* () {
    const { missingInputs, startedWith } = yield* internal
    const started = yield* startedWith(store, record)
    const again = yield* sameInputs(loaded, started, flags)
    const missing = missingInputs(started, again)
    if (missing.length > 0) yield* notGiven(missing)
    return { ...started.inputs, ...again }
  })

/** The inputs of the flags. Refuses others than those that the run was started with. */
export const sameInputs = (
  loaded: LoadedWorkflow,
  started: StartedWith,
  flags: GivenInputs,
): Effect.Effect<JsonObject, Refused> =>
  Effect.gen(function* () {
    const { refusedInputs } = yield* internal
    const again = yield* inputsAgain(loaded, started, flags)
    const issues = yield* refusedInputs(started, again)
    return issues.length > 0 ? yield* kept(issues) : again
  })

/** The same without a look at the values. */
export const inputsAgain = (
  { definition }: LoadedWorkflow,
  started: StartedWith,
  flags: GivenInputs,
): Effect.Effect<JsonObject, Refused> =>
  Effect.gen(function* () {
    const { notPersonal } = yield* internal
    const again = yield* readInputs(definition.name, withDefaults(definition.inputs), flags)
    const issues = notPersonal(started, again)
    return issues.length > 0 ? yield* kept(issues) : again
  })

/** None of them is required again. */
const withDefaults = (declared: {
  readonly [name: string]: JsonSchema
}): { readonly [name: string]: JsonSchema } =>
  Object.fromEntries(
    Object.entries(declared).map(([name, schema]) => [
      name,
      typeof schema === "object" ? { ...schema, default: null } : { default: null },
    ]),
  )

const kept = (issues: ReadonlyArray<InputIssue>) =>
  usage(
    `a resume keeps the inputs that the run was started with: ${issues
      .map(({ input, message }) => `"${input}" ${message}`)
      .join("; ")}`,
    "start a run with other inputs, or fork this one: planloom runs fork",
  )

/** The refusal of a resume without its personal inputs. */
export const notGiven = (missing: ReadonlyArray<string>) =>
  usage(
    `personal inputs are not recorded; pass them again: ${missing.map((name) => `"${name}"`).join(", ")}`,
    missing.map((name) => `--input ${name}=…`).join(" "),
  )

/** Flags of what the record of a run does not hold, and its resume needs: `--input email=…`, `--user @user.json`. */
export const resumeNeeds = (
  store: RunStore,
  run: string,
): Effect.Effect<ReadonlyArray<string>, StoreFailed> =>
  Effect.gen(function* () {
    const { markedPersonal } = yield* internal
    const record = yield* store.show(run)
    return [
      ...markedPersonal(record?.inputs ?? {}).map((name) => `--input ${name}=…`),
      ...(record?.userDigest === undefined ? [] : ["--user @user.json"]),
    ]
  })
