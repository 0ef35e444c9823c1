import { assert, describe, it } from "@effect/vitest"
import type { Json } from "@planloom/plugin"
import { scrubber } from "./scrub.ts"

describe("a scrubber", () => {
  const scrub = scrubber(["hunter22"])!

  it("takes secrets out of texts and names at any depth", () => {
    const value: Json = { a: [{ hunter22: "my hunter22!" }, 1], b: null }
    assert.deepStrictEqual(scrub(value), {
      a: [{ "[secret]": "my [secret]!" }, 1],
      b: null,
    })
  })

  it("gives the value itself where there is nothing to hide, and leaves what it was given", () => {
    const clean = { text: "fine", list: [1, { deep: true }] }
    const value = { clean, key: "hunter22" }
    const scrubbed = scrub(value)
    assert.strictEqual(scrub(clean), clean)
    assert.strictEqual(scrubbed.clean, clean)
    assert.deepStrictEqual(value, { clean, key: "hunter22" })
    assert.strictEqual(scrubbed.key, "[secret]")
  })

  it("takes a secret out of JSON and URLs that hold it, where it is spelled otherwise", () => {
    const key = '{"private_key": "-----BEGIN\nabc+/=\n-----END"}'
    const clean = scrubber([key])!
    const json = JSON.stringify({ key })
    assert.strictEqual(clean(json), '{"key":"[secret]"}')
    assert.strictEqual(
      clean(JSON.stringify({ json })),
      String.raw`{"json":"{\"key\":\"[secret]\"}"}`,
    )
    assert.strictEqual(
      clean(`https://a.example/?key=${encodeURIComponent(key)}&b=1`),
      "https://a.example/?key=[secret]&b=1",
    )
    assert.strictEqual(scrubber(["half \ud800 pair"])!("half \ud800 pair"), "[secret]")
  })

  it("leaves nothing of a secret that begins with another one", () => {
    assert.strictEqual(
      scrubber(["hunter22", "hunter22-and-more"])!("hunter22-and-more"),
      "[secret]",
    )
  })

  it("is none when no secret is long enough to be told from chance", () => {
    assert.isUndefined(scrubber(["12345"]))
  })
})
