/** The route that lists who did what: the audit list of the store. */
import * as Effect from "effect/Effect"
import { Audit, auditActions, type AuditAction, type AuditFilter } from "@planloom/record/audit"
import type { ApiOptions, RouteRequest } from "./Api.ts"
import { requireAllWorkflows } from "./Caller.ts"
import { Problem } from "./Problem.ts"
import { parseLimit, parseTime } from "./query.ts"
import { json, type RouteResponse } from "./runRoutes.ts"

/** Oldest first; the last id of a page is `after` of the next one. */
export const listAudit = ({ store }: ApiOptions, { caller, query }: RouteRequest): RouteResponse =>
  Effect.gen(function* () {
    yield* requireAllWorkflows(caller)
    const audit = Audit.of(store)
    if (audit === undefined) {
      return yield* new Problem({ code: "unavailable", detail: "the store keeps no audit list" })
    }
    const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
    const filter = filterIn(query, now)
    return filter instanceof Problem ? yield* filter : json(yield* audit.list(filter))
  })

const filterIn = (query: URLSearchParams, now: number): AuditFilter | Problem => {
  const refuse = (detail: string) => new Problem({ code: "invalid_input", detail })
  const read: { -readonly [K in keyof AuditFilter]: AuditFilter[K] } = {}
  for (const [name, text] of query) {
    switch (name) {
      case "action":
        if (!Object.hasOwn(auditActions, text)) {
          return refuse(`action must be one of: ${Object.keys(auditActions).join(", ")}`)
        }
        read.action = text as AuditAction
        break
      case "after":
        read.after = text
        break
      case "limit": {
        const limit = parseLimit(text)
        if (limit instanceof Problem) return limit
        read.limit = limit
        break
      }
      case "since": {
        const since = parseTime("since", text, now)
        if (since instanceof Problem) return since
        read.since = since
        break
      }
      default:
        return refuse(`unknown filter "${name}"; allowed: action, after, limit, since`)
    }
  }
  return read
}
