/** Routes that show and swap the models of a served workflow. */
import * as Effect from "effect/Effect"
import type { JsonObject, StoreFailed } from "@planloom/plugin/effect"
import type { Pipeline, SwapRefused } from "@planloom/core"
import type { SwapTarget, Swap } from "@planloom/core/internal"
import { refusable, swapKept, undoKept } from "@planloom/record/models"
import type { ApiOptions, RouteRequest, ServedWorkflow } from "./Api.ts"
import { mayUse, requireOperator, viaOf } from "./Caller.ts"
import { decodeBody, invalidInput, optionalText } from "./decodeBody.ts"
import { Problem } from "./Problem.ts"
import { json, type RouteResponse } from "./runRoutes.ts"

/** Looks up the workflow that the path names. */
export const workflowAt = (
  { workflows }: ApiOptions,
  { caller, params }: RouteRequest,
): Effect.Effect<ServedWorkflow, Problem> => {
  const name = params["name"]!
  const workflow = mayUse(caller, name) ? workflows?.get(name) : undefined
  const known =
    [...(workflows?.keys() ?? [])].filter((one) => mayUse(caller, one)).join(", ") || "none"
  return workflow === undefined
    ? Effect.fail(
        new Problem({
          code: "unknown_resource",
          detail: `unknown workflow "${name}"; this server has: ${known}`,
        }),
      )
    : Effect.succeed(workflow)
}

export const showModels = (options: ApiOptions, request: RouteRequest): RouteResponse =>
  Effect.gen(function* () {
    yield* requireOperator(request.caller)
    const { pipeline } = yield* workflowAt(options, request)
    return json(yield* viewOf(options, pipeline))
  })

export const swapModels = (options: ApiOptions, request: RouteRequest): RouteResponse =>
  Effect.gen(function* () {
    yield* requireOperator(request.caller)
    const { pipeline } = yield* workflowAt(options, request)
    const body = yield* decodeBody(options, request, ["alias", "stage", "models", "by", "why"])
    const target = yield* decodeTarget(body)
    const { models } = body
    const names = typeof models === "string" ? [models] : models
    if (!Array.isArray(names) || !names.every((name) => typeof name === "string")) {
      return yield* invalidInput([
        {
          path: "/models",
          message: "must be provider/model, or a list of those in order of preference",
        },
      ])
    }
    const reason = { ...(yield* decodeReason(body)), via: viaOf(request.caller) }
    const swap = options.models
      ? swapKept(options.models, pipeline, target, names, reason)
      : Effect.andThen(
          pipeline.models.offered(names),
          refusable(() => pipeline.models.swap(target, names, reason)),
        )
    return yield* changed(options, pipeline, swap)
  })

export const undoSwap = (options: ApiOptions, request: RouteRequest): RouteResponse =>
  Effect.gen(function* () {
    yield* requireOperator(request.caller)
    const { pipeline } = yield* workflowAt(options, request)
    const body = yield* decodeBody(options, request, ["by", "why"])
    const reason = { ...(yield* decodeReason(body)), via: viaOf(request.caller) }
    const undone = options.models
      ? undoKept(options.models, pipeline, reason)
      : Effect.sync(() => pipeline.models.undo(reason))
    return yield* changed(options, pipeline, undone)
  })

const viewOf = (
  { models: kept }: ApiOptions,
  { models: registry, name }: Pipeline,
): Effect.Effect<JsonObject, StoreFailed> =>
  Effect.gen(function* () {
    if (kept !== undefined) registry.follow(yield* kept.current(name))
    const { aliases, history, stages, unfit } = registry
    return {
      aliases,
      stages,
      history: kept === undefined ? history : yield* kept.history(name),
      ...(unfit.length === 0 ? {} : { unfit }),
    } as unknown as JsonObject
  })
/** Replies with the history entry of a change and the models after it. */
const changed = (
  options: ApiOptions,
  pipeline: Pipeline,
  change: Effect.Effect<Swap | undefined, StoreFailed | SwapRefused>,
): RouteResponse =>
  Effect.gen(function* () {
    const swap = yield* Effect.catchTag(change, "SwapRefused", (error) =>
      Effect.fail(refused(error)),
    )
    if (swap === undefined) {
      return yield* new Problem({ code: "conflict", detail: "there is no swap to undo" })
    }
    return json({ swap, ...(yield* viewOf(options, pipeline)) })
  })

/** With its own sentence: it is about no member of the request. */
const refused = ({ message }: SwapRefused): Problem =>
  new Problem({
    code: "invalid_input",
    detail: message,
    more: { issues: [{ path: "", message }] },
  })

const decodeTarget = (body: JsonObject): Effect.Effect<SwapTarget, Problem> =>
  Effect.gen(function* () {
    const alias = yield* optionalText(body, "alias")
    const stage = yield* optionalText(body, "stage")
    if (alias !== undefined && stage === undefined) return { alias }
    if (stage !== undefined && alias === undefined) return { stage }
    return yield* invalidInput([{ path: "", message: 'must have either "alias" or "stage"' }])
  })

/** Both keys are required, so that the history of swaps can be audited. */
const decodeReason = (
  body: JsonObject,
): Effect.Effect<{ readonly by: string; readonly why: string }, Problem> =>
  Effect.gen(function* () {
    const by = yield* optionalText(body, "by")
    const why = yield* optionalText(body, "why")
    if (by === undefined || by === "" || why === undefined || why === "") {
      return yield* invalidInput([{ path: "", message: 'must have "by" and "why"' }])
    }
    return { by, why }
  })
