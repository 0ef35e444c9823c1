import { assert, describe, it } from "@effect/vitest"
import { digestOf } from "./digestOf.ts"

describe("the digest of a text", () => {
  it("has 16 hexadecimal digits, also for an empty text", () => {
    for (const text of ["", "a", "ä€", "x".repeat(100_000)]) {
      assert.match(digestOf(text), /^[0-9a-f]{16}$/)
    }
  })

  it("differs for each of 100,000 similar texts, as do both of its halves but for a few", () => {
    const digests = Array.from({ length: 100_000 }, (_, at) => digestOf(`{"n":${at}}`))
    assert.strictEqual(new Set(digests).size, digests.length)
    for (const half of [0, 8]) {
      // One pair is likely among 100,000 random numbers of 32 bits.
      assert.isAbove(new Set(digests.map((one) => one.slice(half, half + 8))).size, 99_990)
    }
  })

  it("changes with one letter, the order of letters and the length", () => {
    const texts = ["stage", "stagf", "tsage", "stag", "stage ", "\0stage"]
    assert.strictEqual(new Set(texts.map(digestOf)).size, texts.length)
  })
})
