/** A service with a database of its own, for tests: its clock stands still until it is moved. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { JsonObject, ToolFailed, ToolInvocation } from "@planloom/plugin/effect"
import { Database } from "../Database.ts"
import { sourceOf } from "../source.ts"

export const NOON_MS = Date.UTC(2026, 10, 23, 12)
export const ana = { id: "ana", language: "en" }

/** A service with a database of its own, whose calls give the result or the sentence of the failure. */
export const service = (file = ":memory:") => {
  const database = new Database(file)
  const source = sourceOf(() => database)
  let calls = 0
  let now = NOON_MS
  const millis = Effect.sync(() => now)
  const clock = { currentTimeMillis: millis } as unknown as Clock.Clock
  const given = (tool: string, params: JsonObject, key: string, user: JsonObject) =>
    ({ tool, params, key, user, language: user["language"] }) as unknown as ToolInvocation
  const outcome = (work: Effect.Effect<JsonObject, ToolFailed>): JsonObject =>
    Effect.runSync(
      work.pipe(
        Effect.catch((failure: ToolFailed) => Effect.succeed({ failed: failure.message })),
        Effect.provideService(Clock.Clock, clock),
      ),
    )
  const call = (
    tool: string,
    params: JsonObject,
    { key = `k${++calls}`, user = ana as JsonObject } = {},
  ): JsonObject =>
    outcome(
      Effect.map(source.call(given(tool, params, key, user)), ({ value }) => value as JsonObject),
    )
  const preview = (params: JsonObject, { user = ana as JsonObject } = {}): JsonObject =>
    outcome(source.preview!(given("create_transfer", params, "preview", user)))
  const transfers = () => database.rows("SELECT * FROM transfers").length
  return { call, preview, database, later: (ms: number) => void (now += ms), transfers }
}
