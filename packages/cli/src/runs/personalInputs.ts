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
import type { InputFlags } from "../commands/options.ts"
import { usage, type Refused } from "../Refused.ts"
import { readInputs } from "../run/inputs.ts"

/** Returns the run's inputs. Only personal ones may be passed; the others stay as recorded. */
export const readPersonalInputs = (
  { definition }: LoadedWorkflow,
  { inputs: recorded }: Pick<RunRecord, "inputs">,
  flags: Pick<InputFlags, "input" | "inputs">,
): Effect.Effect<JsonObject, Refused> =>
  Effect.gen(function* () {
    const before = recorded as JsonObject
    const { missingPersonal } = yield* Effect.promise(() => import("@planloom/core/internal"))
    const missing = missingPersonal(definition.inputs, before)
    const personal = Object.fromEntries(
      missing.map((name): readonly [string, JsonSchema] => {
        const schema = definition.inputs[name]!
        return [name, typeof schema === "object" ? { ...schema, default: null } : schema]
      }),
    )
    const given = yield* readInputs(definition.name, personal, flags)
    const still = missing.filter((name) => !(name in given))
    if (still.length > 0) {
      const names = still.map((name) => `"${name}"`).join(", ")
      return yield* usage(
        `personal inputs are not recorded; pass them again: ${names}`,
        still.map((name) => `--input ${name}=…`).join(" "),
      )
    }
    return { ...before, ...given }
  })

/** Flags of what the record of a run does not hold, and its resume needs: `--input email=…`, `--user @user.json`. */
export const resumeNeeds = (
  store: RunStore,
  run: string,
): Effect.Effect<ReadonlyArray<string>, StoreFailed> =>
  Effect.gen(function* () {
    const { markedPersonal } = yield* Effect.promise(() => import("@planloom/core/internal"))
    const record = yield* store.show(run)
    return [
      ...markedPersonal(record?.inputs ?? {}).map((name) => `--input ${name}=…`),
      ...(record?.userDigest === undefined ? [] : ["--user @user.json"]),
    ]
  })
