/** Routes web-standard requests to the HTTP API over a run store. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { ApiOptions, Connection, MetricsEndpoint, RouteRequest } from "./Api.ts"
import { requireScope } from "./ApiKey.ts"
import { mayUse, requireAllWorkflows, type Caller } from "./Caller.ts"
import type { Scope } from "./Scope.ts"
import { answerWait, cancelRun, resumeRun } from "./changeRoutes.ts"
import { listAudit } from "./auditRoutes.ts"
import { authorize, requireSameOrigin } from "./authorize.ts"
import { eraseUser } from "./eraseRoute.ts"
import { describeWorkflow } from "./describeWorkflow.ts"
import { showModels, swapModels, undoSwap } from "./modelRoutes.ts"
import { changePrompt, listPrompts, showPrompt, showVersion } from "./promptRoutes.ts"
import { RequestLimiter } from "./RequestLimiter.ts"
import { claimReview, decideReview, listReviews, showReview } from "./reviewRoutes.ts"
import { fromStoreFailure, Problem, problemResponse } from "./Problem.ts"
import { openApi, withBraces } from "./openApi.ts"
import { startRun } from "./startRun.ts"
import { receiveWebhook } from "./triggers/webhook.ts"
import { json, listRuns, listWaits, runEvents, showRun, type RouteResponse } from "./runRoutes.ts"

type Route = (options: ApiOptions, request: RouteRequest) => RouteResponse

const listWorkflows: Route = ({ workflows }, { caller }) =>
  Effect.sync(() => json([...usable(workflows, caller).values()].map(describeWorkflow)))

const showDocument: Route = ({ workflows }, { caller }) =>
  Effect.sync(() => json(openApi(routes, usable(workflows, caller))))

const usable = (workflows: ApiOptions["workflows"] = new Map(), caller: Caller) =>
  new Map([...workflows].filter(([name]) => mayUse(caller, name)))

/** Metrics are of all runs, whose users they are not for. */
const showMetrics: Route = ({ metrics }, { caller }) =>
  Effect.gen(function* () {
    yield* requireAllWorkflows(caller)
    if (metrics === undefined) {
      return yield* new Problem({
        code: "not_found",
        detail: "this server keeps no metrics; `planloom serve --metrics` does",
      })
    }
    const { contentType, text } = yield* metrics.read
    return new Response(text, { headers: { "content-type": contentType } })
  })

/**
 * `:name` matches one path segment, `*name` the rest of the path; a key needs the scope. `/` and `/health` are apart:
 * they need no token.
 */
export const routes: ReadonlyArray<
  readonly [method: string, path: string, scope: Scope, route: Route]
> = [
  ["GET", "/audit", "audit:read", listAudit],
  ["GET", "/metrics", "metrics:read", showMetrics],
  ["GET", "/openapi.json", "workflows:read", showDocument],
  ["GET", "/reviews", "reviews:read", listReviews],
  ["GET", "/reviews/*review", "reviews:read", showReview],
  ["POST", "/reviews/claim/*review", "reviews:write", claimReview],
  ["POST", "/reviews/decide/*review", "reviews:write", decideReview],
  ["GET", "/runs", "runs:read", listRuns],
  ["GET", "/runs/:run", "runs:read", showRun],
  ["GET", "/runs/:run/events", "runs:read", runEvents],
  ["POST", "/runs/:run/answers/*name", "runs:write", answerWait],
  ["POST", "/runs/:run/cancel", "runs:write", cancelRun],
  ["POST", "/runs/:run/resume", "runs:write", resumeRun],
  ["DELETE", "/users/:user", "users:erase", eraseUser],
  ["GET", "/waits", "runs:read", listWaits],
  ["GET", "/workflows", "workflows:read", listWorkflows],
  ["POST", "/workflows/:name/runs", "runs:write", startRun],
  ["GET", "/workflows/:name/models", "workflows:read", showModels],
  ["POST", "/workflows/:name/models", "models:write", swapModels],
  ["POST", "/workflows/:name/models/undo", "models:write", undoSwap],
  ["GET", "/workflows/:name/prompts", "workflows:read", listPrompts],
  ["GET", "/workflows/:name/prompts/:prompt", "workflows:read", showPrompt],
  ["PUT", "/workflows/:name/prompts/:prompt", "prompts:write", changePrompt],
  ["GET", "/workflows/:name/prompts/:prompt/versions/:version", "workflows:read", showVersion],
]

const split = routes.map(([method, path, scope, route]) => ({
  method,
  parts: path.split("/"),
  name: withBraces(path),
  scope,
  route,
}))

/** Facts of a request once its reply is made. */
interface Seen {
  route: string | undefined
}

/**
 * The API for a caller whom the host knows: there is no other access rule. The promise never rejects.
 */
export const replyTo = (
  options: ApiOptions,
  caller: Caller,
): ((request: Request) => Promise<Response>) => {
  const access: Access = { caller: Effect.succeed(caller), anyone: Effect.void }
  return (request) => replied(options, respond(options, request, "", access, { route: undefined }))
}

/**
 * Creates the API's fetch handler; `routes` lists what it serves, with `GET /`, `GET /health` and `POST /hooks/:name`. Mount it at the root of a host
 * or below `prefix`. The promise never rejects.
 */
export const handler = (
  options: ApiOptions,
  prefix = "",
): ((request: Request, connection?: Connection) => Promise<Response>) => {
  const { metrics, requestsPerMinute } = options
  const limiter =
    requestsPerMinute === undefined ? undefined : new RequestLimiter(requestsPerMinute)
  return async (request, { address = "" } = {}) => {
    const from = `address:${address}`
    const access: Access = {
      caller: limited(authorize(request, options), limiter, from),
      anyone: limiter?.accept(from) ?? Effect.void,
    }
    const seen: Seen = { route: undefined }
    const reply = () => replied(options, respond(options, request, prefix, access, seen))
    return metrics === undefined ? reply() : measured(metrics, request, seen, reply)
  }
}

const measured = async (
  { requested }: MetricsEndpoint,
  { method }: Request,
  seen: Seen,
  reply: () => Promise<Response>,
): Promise<Response> => {
  const began = performance.now()
  const response = await reply()
  const ms = performance.now() - began
  requested({ method, route: seen.route, status: response.status, ms })
  return response
}

const replied = async (
  { onDefect }: ApiOptions,
  reply: Effect.Effect<Response, Problem>,
): Promise<Response> => {
  const exit = await Effect.runPromiseExit(reply)
  if (Exit.isSuccess(exit)) return exit.value
  const known = Option.getOrUndefined(Exit.findErrorOption(exit))
  if (known !== undefined) return problemResponse(known)
  onDefect?.(Cause.squash(exit.cause))
  return problemResponse(new Problem({ code: "internal", detail: "see the server's log" }))
}

/** Counts the request for its caller; one that is not authorized counts for its address. */
const limited = (
  caller: Effect.Effect<Caller, Problem>,
  limiter: RequestLimiter | undefined,
  address: string,
): Effect.Effect<Caller, Problem> =>
  limiter === undefined
    ? caller
    : Effect.tap(
        Effect.tapError(caller, () => limiter.accept(address)),
        ({ client }) => limiter.accept(client ?? address),
      )

interface Access {
  readonly caller: Effect.Effect<Caller, Problem>
  /** Counts a request that needs no token. */
  readonly anyone: Effect.Effect<void, Problem>
}

const respond = (
  options: ApiOptions,
  request: Request,
  prefix: string,
  { anyone, caller: authorized }: Access,
  seen: Seen,
): Effect.Effect<Response, Problem> =>
  Effect.gen(function* () {
    const { pathname, searchParams } = new URL(request.url)
    const path = pathname.startsWith(prefix) ? pathname.slice(prefix.length) : ""
    if (path === "/health" && request.method === "GET") {
      seen.route = path
      yield* authorize(request, options.hosts === undefined ? {} : { hosts: options.hosts })
      return health(options)
    }
    if ((path === "/" || path === "") && request.method === "GET") {
      seen.route = "/"
      yield* authorize(request, options.hosts === undefined ? {} : { hosts: options.hosts })
      return json({
        service: "planloom",
        api: `${prefix}/openapi.json`,
        workflows: `${prefix}/workflows`,
        health: `${prefix}/health`,
      })
    }
    const segments = yield* decodeSegments(path)
    const hooked = matchRoute(["", "hooks", ":name"], segments)
    if (hooked !== undefined && request.method === "POST") {
      seen.route = "/hooks/{name}"
      yield* anyone
      return yield* Effect.catchTag(
        receiveWebhook(options, request, hooked["name"]!),
        "StoreFailed",
        (failure) => Effect.fail(fromStoreFailure(failure)),
      )
    }
    const caller = yield* authorized
    const { mcp } = options
    if (path === "/mcp" && mcp !== undefined) {
      seen.route = path
      yield* requireSameOrigin(request, options.hosts)
      const api = replyTo(options, caller)
      return yield* Effect.promise(() => mcp(request, { id: caller.client ?? "", api }))
    }
    const allowed: Array<string> = []
    for (const { method, name, parts, route, scope } of split) {
      const params = matchRoute(parts, segments)
      if (params === undefined) continue
      if (method !== request.method) {
        allowed.push(method)
        continue
      }
      seen.route = name
      yield* requireScope(caller, scope)
      const matched = { request, params, query: searchParams, caller }
      return yield* Effect.catchTag(route(options, matched), "StoreFailed", (failure) =>
        Effect.fail(fromStoreFailure(failure)),
      )
    }
    return yield* allowed.length === 0
      ? new Problem({
          code: "not_found",
          detail: `no route matches ${path}; GET ${prefix}/openapi.json lists the routes`,
        })
      : new Problem({
          code: "method_not_allowed",
          detail: `${path} does not support ${request.method}`,
          headers: { allow: allowed.join(", ") },
        })
  })

const health = ({ worker }: ApiOptions): Response =>
  json(
    { status: worker?.stopping === true ? "stopping" : "ok", active_runs: worker?.atWork ?? 0 },
    worker?.stopping === true ? 503 : 200,
  )

const decodeSegments = (path: string): Effect.Effect<ReadonlyArray<string>, Problem> =>
  Effect.try({
    try: () => path.split("/").map(decodeURIComponent),
    catch: () =>
      new Problem({ code: "malformed_request", detail: "the path is not valid percent-encoding" }),
  })

const matchRoute = (
  parts: ReadonlyArray<string>,
  segments: ReadonlyArray<string>,
): { readonly [name: string]: string } | undefined => {
  const rest = parts.at(-1)!.startsWith("*")
  if (rest ? segments.length < parts.length : segments.length !== parts.length) return undefined
  const params: { [name: string]: string } = {}
  for (const [index, part] of parts.entries()) {
    const segment = segments[index]!
    if (part.startsWith("*")) params[part.slice(1)] = segments.slice(index).join("/")
    else if (part.startsWith(":")) params[part.slice(1)] = segment
    else if (part !== segment) return undefined
  }
  return params
}
