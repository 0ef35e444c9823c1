/** The route that erases a user, as `planloom users forget` does. */
import * as Effect from "effect/Effect"
import type { ApiOptions, RouteRequest } from "./Api.ts"
import { requireAllWorkflows, viaOf } from "./Caller.ts"
import { Problem } from "./Problem.ts"
import { json, type RouteResponse } from "./runRoutes.ts"

export const eraseUser = (
  options: ApiOptions,
  { caller, params, query }: RouteRequest,
): RouteResponse =>
  Effect.gen(function* () {
    yield* requireAllWorkflows(caller)
    const { eraseUser: erase } = options
    if (erase === undefined) {
      return yield* new Problem({ code: "not_found", detail: "this server erases no users" })
    }
    for (const [name, text] of query) {
      if (name !== "runs") {
        return yield* new Problem({
          code: "invalid_input",
          detail: `unknown parameter "${name}"; allowed: runs`,
        })
      }
      if (text !== "true" && text !== "false") {
        return yield* new Problem({ code: "invalid_input", detail: "runs must be true or false" })
      }
    }
    const runs = query.get("runs") === "true"
    return json(yield* erase(params["user"]!, { runs, via: viaOf(caller) }))
  })
