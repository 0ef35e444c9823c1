/** Looking at the models a served workflow asks, and swapping them while it runs. */
import * as Effect from "effect/Effect"
import type { JsonObject } from "@planloom/plugin"
import { SwapRefused } from "@planloom/core"
import type { ModelRegistry } from "@planloom/core"
import type { SwapTarget } from "@planloom/core/internal"
import type { ApiOptions, Asked, Offered } from "./Api.ts"
import { bodyOf, misfit, textAt } from "./given.ts"
import { Problem } from "./Problem.ts"
import { json, type Answered } from "./runPlaces.ts"

/** The workflow the path names. */
export const offeredAt = (
  { workflows }: ApiOptions,
  { params }: Asked,
): Effect.Effect<Offered, Problem> => {
  const name = params["name"]!
  const offered = workflows?.get(name)
  const known = [...(workflows?.keys() ?? [])].join(", ") || "none"
  return offered === undefined
    ? Effect.fail(
        new Problem({
          code: "unknown",
          detail: `there is no workflow "${name}" here; there is: ${known}`,
        }),
      )
    : Effect.succeed(offered)
}

export const showModels = (options: ApiOptions, asked: Asked): Answered =>
  Effect.map(offeredAt(options, asked), ({ pipeline }) => json(seen(pipeline.models)))

export const swapModels = (options: ApiOptions, asked: Asked): Answered =>
  Effect.gen(function* () {
    const { pipeline } = yield* offeredAt(options, asked)
    const body = yield* bodyOf(options, asked, ["alias", "stage", "models", "by", "why"])
    const target = yield* targetIn(body)
    const { models } = body
    const names = typeof models === "string" ? [models] : models
    if (!Array.isArray(names) || !names.every((name) => typeof name === "string")) {
      return yield* misfit([
        {
          path: "/models",
          message: "must be provider/model, or a list of those, first choice first",
        },
      ])
    }
    const reason = yield* reasonIn(body)
    return yield* changed(pipeline.models, (registry) => registry.swap(target, names, reason))
  })

export const undoSwap = (options: ApiOptions, asked: Asked): Answered =>
  Effect.gen(function* () {
    const { pipeline } = yield* offeredAt(options, asked)
    const reason = yield* reasonIn(yield* bodyOf(options, asked, ["by", "why"]))
    return yield* changed(pipeline.models, (registry) => registry.undo(reason))
  })

const seen = ({ aliases, history, stages }: ModelRegistry) => ({ aliases, stages, history })

/** The entry of the history that came of it, and how things are then. */
const changed = (
  registry: ModelRegistry,
  change: (registry: ModelRegistry) => unknown,
): Effect.Effect<Response, Problem> =>
  Effect.suspend(() => {
    try {
      const swap = change(registry)
      return swap === undefined
        ? Effect.fail(new Problem({ code: "conflict", detail: "there is no swap to take back" }))
        : Effect.succeed(json({ swap, ...seen(registry) }))
    } catch (error) {
      if (!(error instanceof SwapRefused)) throw error
      return Effect.fail(misfit([{ path: "", message: error.message }]))
    }
  })

const targetIn = (body: JsonObject): Effect.Effect<SwapTarget, Problem> =>
  Effect.gen(function* () {
    const alias = yield* textAt(body, "alias")
    const stage = yield* textAt(body, "stage")
    if (alias !== undefined && stage === undefined) return { alias }
    if (stage !== undefined && alias === undefined) return { stage }
    return yield* misfit([{ path: "", message: 'must have either "alias" or "stage"' }])
  })

/** Both are asked for: a history that does not say who and why helps nobody. */
const reasonIn = (
  body: JsonObject,
): Effect.Effect<{ readonly by: string; readonly why: string }, Problem> =>
  Effect.gen(function* () {
    const by = yield* textAt(body, "by")
    const why = yield* textAt(body, "why")
    if (by === undefined || by === "" || why === undefined || why === "") {
      return yield* misfit([{ path: "", message: 'must say "by" whom and "why"' }])
    }
    return { by, why }
  })
