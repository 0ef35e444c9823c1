/** The SQLite store passes the conformance suites of stores. */
import { collectionSuite, ownerSuite, storeSuite } from "@planloom/testing"
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

collectionSuite({ describe, it }, "sqlite", async () => {
  const path = newFile()
  const [one, other] = [await storeAt(path), await storeAt(path)]
  return { one: (name) => one.collection!(name), other: (name) => other.collection!(name) }
})
