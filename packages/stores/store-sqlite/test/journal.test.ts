/** The SQLite journal passes the contract's conformance suite. */
import * as Effect from "effect/Effect"
import { journalSuite } from "@planloom/testing"
import { describe, it } from "vitest"
import { newFile, start, storeAt } from "./store.ts"

journalSuite(
  { describe, it },
  "sqlite",
  () => {
    const store = storeAt(newFile())
    return {
      open: () => Effect.runPromise(Effect.map(store.open(start("r")), ({ journal }) => journal)),
    }
  },
  { replays: true },
)
