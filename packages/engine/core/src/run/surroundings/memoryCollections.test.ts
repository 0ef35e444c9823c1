/** Collections in memory, as the contract has them. */
import { collectionSuite } from "@planloom/testing"
import { describe, it } from "vitest"
import { memoryCollections } from "./memoryCollections.ts"

collectionSuite({ describe, it }, "memory", () => {
  const one = memoryCollections()
  return Promise.resolve({ one, other: one })
})
