/** Watches the owner of one run until it sends a heartbeat or is known to be dead. */
import * as Effect from "effect/Effect"
import type { StoreFailed } from "@planloom/plugin/effect"
import type { Row } from "../Database.ts"
import type { Ownership } from "./Ownership.ts"

/** Returns whether the owner is alive. `read` loads the current row of the run. */
export const watchOwner = (
  ownership: Ownership,
  read: Effect.Effect<Row, StoreFailed>,
): Effect.Effect<boolean, StoreFailed> => {
  const check = (first: Row | undefined): Effect.Effect<boolean, StoreFailed> =>
    Effect.flatMap(read, (row) => {
      if (!ownership.isActive(row)) return Effect.succeed(false)
      const isSameOwner = first?.["owner"] === row["owner"]
      if (isSameOwner && first?.["heartbeat"] !== row["heartbeat"]) return Effect.succeed(true)
      if (ownership.isVisible(row)) return Effect.succeed(true)
      return Effect.delay(
        Effect.suspend(() => check(isSameOwner ? first : row)),
        ownership.heartbeatMs / 2,
      )
    })
  return check(undefined)
}
