/** Routes that list reviews that people decide on, and claim and decide them. */
import * as Effect from "effect/Effect"
import { parseDuration } from "@planloom/plugin/duration"
import { verdicts, type Json, type Verdict } from "@planloom/plugin/effect"
import { Audit } from "@planloom/record/audit"
import type { ApiOptions, RouteRequest } from "./Api.ts"
import { requireAllWorkflows, viaOf } from "./Caller.ts"
import { decodeBody, invalidInput, optionalText } from "./decodeBody.ts"
import { Problem } from "./Problem.ts"
import { parseLimit } from "./query.ts"
import type { ReviewsEndpoint, ReviewTaken } from "./ReviewsEndpoint.ts"
import { json, type RouteResponse } from "./runRoutes.ts"

const states = ["open", "claimed", "decided"] as const

const DEFAULT_LIMIT = 100

/** The time of a claim unless the body states one. */
const DEFAULT_CLAIM_MS = 30 * 60_000

/** Oldest first, with their texts, which are redacted. */
export const listReviews = (options: ApiOptions, { caller, query }: RouteRequest): RouteResponse =>
  Effect.gen(function* () {
    yield* requireAllWorkflows(caller)
    const queue = yield* queueOf(options)
    let limit = DEFAULT_LIMIT
    let state: (typeof states)[number] | undefined
    for (const [name, text] of query) {
      if (name === "limit") {
        const read = parseLimit(text)
        if (read instanceof Problem) return yield* read
        limit = read
      } else if (name === "state") {
        state = states.find((one) => one === text)
        if (state === undefined) return yield* refuse(`state must be one of: ${states.join(", ")}`)
      } else return yield* refuse(`unknown filter "${name}"; allowed: limit, state`)
    }
    return json(yield* queue.list(state, limit))
  })

export const showReview = (options: ApiOptions, { caller, params }: RouteRequest): RouteResponse =>
  Effect.gen(function* () {
    yield* requireAllWorkflows(caller)
    const queue = yield* queueOf(options)
    const review = yield* queue.show(params["review"]!)
    return review === undefined ? yield* missing : json(review)
  })

/** Takes a review for `for`, so that no other person works on it meanwhile. */
export const claimReview = (options: ApiOptions, request: RouteRequest): RouteResponse =>
  Effect.gen(function* () {
    yield* requireAllWorkflows(request.caller)
    const queue = yield* queueOf(options)
    const body = yield* decodeBody(options, request, ["by", "for"])
    const by = yield* personIn(body, request)
    const given = yield* optionalText(body, "for")
    const ms = given === undefined ? DEFAULT_CLAIM_MS : parseDuration(given)
    if (ms === undefined || ms <= 0) {
      return yield* invalidInput([{ path: "/for", message: "must be a duration such as 30m" }])
    }
    const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
    return yield* taken(queue.claim(request.params["review"]!, { by, until: now + ms }))
  })

/** Records what the reviews of a reply should have come to; a decision is final. */
export const decideReview = (options: ApiOptions, request: RouteRequest): RouteResponse =>
  Effect.gen(function* () {
    yield* requireAllWorkflows(request.caller)
    const queue = yield* queueOf(options)
    const body = yield* decodeBody(options, request, ["verdict", "text", "note", "by"])
    const by = yield* personIn(body, request)
    const verdict = verdicts.find((one) => one === body["verdict"])
    if (verdict === undefined) {
      return yield* invalidInput([
        { path: "/verdict", message: `must be one of: ${verdicts.join(", ")}` },
      ])
    }
    const text = yield* optionalText(body, "text")
    const note = yield* optionalText(body, "note")
    if (text !== undefined && (verdict === "pass" || verdict === "flag")) {
      return yield* invalidInput([
        { path: "/text", message: `has no place with the verdict ${verdict}` },
      ])
    }
    const via = viaOf(request.caller)
    const at = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
    const review = request.params["review"]!
    const reply = yield* taken(
      queue.decide(review, {
        verdict,
        ...(text === undefined ? {} : { text }),
        ...(note === undefined ? {} : { note }),
        by,
        via,
        at,
      }),
    )
    yield* noted(options, { review, verdict, by, via })
    return reply
  })

interface Decided {
  readonly review: string
  readonly verdict: Verdict
  readonly by: string
  readonly via: string
}

const noted = ({ store }: ApiOptions, { by, review, verdict, via }: Decided) =>
  Audit.of(store)?.record({ action: "review_decided", via, by, about: { review, verdict } }) ??
  Effect.void

const taken = (work: ReturnType<ReviewsEndpoint["claim"]>): RouteResponse =>
  Effect.flatMap(work, (result: ReviewTaken) =>
    result.ok
      ? Effect.succeed(json(result.review))
      : result.refusal === "missing"
        ? Effect.fail(missing)
        : Effect.fail(
            new Problem({
              code: "conflict",
              detail:
                result.refusal === "decided"
                  ? "the review is decided: a decision is final"
                  : "another person works on the review",
            }),
          ),
  )

/** The person whom a program names, else the caller. */
const personIn = (
  body: { readonly [key: string]: Json },
  { caller }: RouteRequest,
): Effect.Effect<string, Problem> =>
  Effect.map(optionalText(body, "by"), (by) => by ?? viaOf(caller))

const queueOf = ({ reviews }: ApiOptions): Effect.Effect<ReviewsEndpoint, Problem> =>
  reviews === undefined
    ? Effect.fail(
        new Problem({ code: "not_found", detail: "this server keeps no queue of reviews" }),
      )
    : Effect.succeed(reviews)

const missing = new Problem({ code: "unknown_resource", detail: "there is no review of this id" })

const refuse = (detail: string) => new Problem({ code: "invalid_input", detail })
