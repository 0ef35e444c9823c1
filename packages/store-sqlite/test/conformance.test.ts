/** The SQLite store passes the conformance suites of stores. */
import { ownerSuite, storeSuite } from "@planloom/testing"
import { describe, it } from "vitest"
import { newFile, storeAt } from "./store.ts"

const HEARTBEAT_MS = 60

ownerSuite(
  { describe, it },
  "sqlite",
  () => {
    const path = newFile()
    return { open: () => storeAt(path, { heartbeat: HEARTBEAT_MS }) }
  },
  { silenceMs: 5 * HEARTBEAT_MS },
)

storeSuite({ describe, it }, "sqlite", () => {
  const path = newFile()
  return { open: () => storeAt(path) }
})
