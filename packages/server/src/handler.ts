/** The HTTP API over a store of runs, as one function from a web-standard Request to its Response. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { ApiOptions, Asked } from "./Api.ts"
import { answerWait, beginRun, cancelRun, resumeRun } from "./changePlaces.ts"
import { guarded } from "./guard.ts"
import { showModels, swapModels, undoSwap } from "./modelPlaces.ts"
import { ofStore, Problem, problemResponse } from "./Problem.ts"
import { json, listRuns, listWaits, runEvents, showRun, type Answered } from "./runPlaces.ts"

type Place = (options: ApiOptions, asked: Asked) => Answered

const listWorkflows: Place = ({ workflows }) =>
  Effect.succeed(
    json(
      [...(workflows?.values() ?? [])].map(({ pipeline: { definition, inputs, name } }) => ({
        name,
        ...(definition.description === undefined ? {} : { description: definition.description }),
        inputs: inputs.schema,
      })),
    ),
  )

/** Method and path; `:name` stands for one segment, `*name` for all that is left. Whoever watches a server may ask for its health without a token. */
const places: ReadonlyArray<readonly [method: string, path: string, place: Place]> = [
  ["GET", "/runs", listRuns],
  ["GET", "/runs/:run", showRun],
  ["GET", "/runs/:run/events", runEvents],
  ["POST", "/runs/:run/answers/*name", answerWait],
  ["POST", "/runs/:run/cancel", cancelRun],
  ["POST", "/runs/:run/resume", resumeRun],
  ["GET", "/waits", listWaits],
  ["GET", "/workflows", listWorkflows],
  ["POST", "/workflows/:name/runs", beginRun],
  ["GET", "/workflows/:name/models", showModels],
  ["POST", "/workflows/:name/models", swapModels],
  ["POST", "/workflows/:name/models/undo", undoSwap],
]

/**
 * `GET /runs`, `/runs/:id`, `/runs/:id/events`, `/waits`, `/workflows`, `/workflows/:name/models` and `/health`; `POST
 * /runs/:id/answers/:name`, `/runs/:id/cancel`, `/runs/:id/resume`, `/workflows/:name/runs`, `/workflows/:name/models` and
 * `/workflows/:name/models/undo`. Never rejects. To be mounted at the root of a
 * host or below `prefix`.
 */
export const handler =
  (options: ApiOptions, prefix = ""): ((request: Request) => Promise<Response>) =>
  async (request) => {
    const exit = await Effect.runPromiseExit(respond(options, request, prefix))
    if (Exit.isSuccess(exit)) return exit.value
    const known = Option.getOrUndefined(Exit.findErrorOption(exit))
    if (known !== undefined) return problemResponse(known)
    options.onFault?.(Cause.squash(exit.cause))
    return problemResponse(
      new Problem({ code: "internal", detail: "it is in the server's own log" }),
    )
  }

const respond = (
  options: ApiOptions,
  request: Request,
  prefix: string,
): Effect.Effect<Response, Problem> =>
  Effect.gen(function* () {
    const { pathname, searchParams } = new URL(request.url)
    const path = pathname.startsWith(prefix) ? pathname.slice(prefix.length) : ""
    if (path === "/health" && request.method === "GET") {
      yield* guarded(request, options.hosts === undefined ? {} : { hosts: options.hosts })
      return health(options)
    }
    yield* guarded(request, options)
    const segments = yield* segmentsOf(path)
    const found = places.flatMap(([method, pattern, place]) => {
      const params = matched(pattern, segments)
      return params === undefined ? [] : [{ method, params, place }]
    })
    const here = found.find(({ method }) => method === request.method)
    if (here !== undefined) {
      const asked = { request, params: here.params, query: searchParams }
      return yield* Effect.catchTag(here.place(options, asked), "StoreFailed", (failure) =>
        Effect.fail(ofStore(failure)),
      )
    }
    return yield* found.length === 0
      ? new Problem({ code: "no_such_place", detail: `there is nothing at ${path}` })
      : new Problem({
          code: "no_such_method",
          detail: `${request.method} is not done at ${path}`,
          headers: { allow: found.map(({ method }) => method).join(", ") },
        })
  })

const health = ({ worker }: ApiOptions): Response =>
  json(
    { status: worker?.stopping === true ? "stopping" : "ok", at_work: worker?.atWork ?? 0 },
    worker?.stopping === true ? 503 : 200,
  )

const segmentsOf = (path: string): Effect.Effect<ReadonlyArray<string>, Problem> =>
  Effect.try({
    try: () => path.split("/").map(decodeURIComponent),
    catch: () =>
      new Problem({ code: "malformed", detail: "the path is not encoded as it must be" }),
  })

const matched = (
  pattern: string,
  segments: ReadonlyArray<string>,
): { readonly [name: string]: string } | undefined => {
  const wanted = pattern.split("/")
  const rest = wanted.at(-1)!.startsWith("*")
  if (rest ? segments.length < wanted.length : segments.length !== wanted.length) return undefined
  const params: { [name: string]: string } = {}
  for (const [index, part] of wanted.entries()) {
    const given = segments[index]!
    if (part.startsWith("*")) params[part.slice(1)] = segments.slice(index).join("/")
    else if (part.startsWith(":")) params[part.slice(1)] = given
    else if (part !== given) return undefined
  }
  return params
}
