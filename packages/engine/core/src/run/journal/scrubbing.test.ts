import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { Json } from "@planloom/plugin/effect"
import { cases } from "../../../../../../.config/cases.ts"
import { Personal } from "./personal.ts"
import { scrubbing } from "./scrubbing.ts"

const text = `apiVersion: planloom/v1
kind: Workflow
name: review
secrets: [OLLAMA_KEY]
stages:
  - { id: reflect, uses: reflect, with: { rules: [failed_calls, unused_names], request: "Look at Ollama." } }
  - { id: end, uses: set, with: { value: "token sk4711-abcdef" } }
`
const definition: Json = { file: "review.yaml", texts: { "review.yaml": text }, flags: { set: [] } }
const words = [...new Set(text.match(/\p{L}{6,}/gu))]

const none = new Personal({}, {}, {})
const some = new Personal({ topic: { type: "string", personal: true } }, { topic: "reflect" }, {})

describe("a recorded definition", () => {
  it("is unchanged for secrets that are words of its files, which are removed from all else", () => {
    const own = fc
      .constantFrom(...words)
      .chain((word) =>
        fc.constantFrom(word, word.toLowerCase(), word.slice(0, 6).toLowerCase(), word.slice(-6)),
      )
      .filter((word) => /^(?:\p{Lu}?\p{Ll}+|\p{Lu}+)$/u.test(word))
    fc.assert(
      fc.property(
        fc.array(own, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(none, some),
        (secrets, personal) => {
          const scrub = scrubbing(personal, { definition, secrets, recorded: {} })!
          assert.strictEqual(scrub(definition), definition)
          for (const secret of secrets) {
            assert.notDeepEqual(scrub({ said: secret }), { said: secret })
          }
        },
      ),
      { numRuns: cases(300) },
    )
  })

  it("is left out for any other secret that is in its files, and never changed", () => {
    const part = fc
      .tuple(fc.nat(text.length - 7), fc.integer({ min: 6, max: 30 }))
      .map(([at, length]) => text.slice(at, at + length))
      .filter((secret) => secret.length >= 6 && !/^\p{L}+$/u.test(secret))
    fc.assert(
      fc.property(part, fc.constantFrom(none, some), (secret, personal) => {
        const scrub = scrubbing(personal, { definition, secrets: [secret], recorded: {} })!
        assert.isNull(scrub(definition))
      }),
      { numRuns: cases(300) },
    )
    for (const long of ["abcdefghijklmnopqrstuvwx", "kQpZrTmWxY"]) {
      const given = { texts: { a: `key: ${long}` } }
      const scrub = scrubbing(none, { definition: given, secrets: [long], recorded: {} })!
      assert.isNull(scrub(given))
    }
  })

  it("costs nothing without secrets and personal inputs", () => {
    assert.isUndefined(scrubbing(none, { definition, recorded: {} }))
  })
})
