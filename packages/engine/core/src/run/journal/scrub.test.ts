import { assert, describe, it } from "@effect/vitest"
import type { Json } from "@planloom/plugin/effect"
import { scrubber } from "./scrub.ts"

describe("a scrubber", () => {
  const scrub = scrubber(["hunter22"])!

  it("redacts secrets in texts and keys at any depth", () => {
    const value: Json = { a: [{ hunter22: "my hunter22!" }, 1], b: null }
    assert.deepStrictEqual(scrub(value), {
      a: [{ "[secret]": "my [secret]!" }, 1],
      b: null,
    })
  })

  it("returns the same object when nothing is redacted, and never mutates its input", () => {
    const clean = { text: "fine", list: [1, { deep: true }] }
    const value = { clean, key: "hunter22" }
    const scrubbed = scrub(value)
    assert.strictEqual(scrub(clean), clean)
    assert.strictEqual(scrubbed.clean, clean)
    assert.deepStrictEqual(value, { clean, key: "hunter22" })
    assert.strictEqual(scrubbed.key, "[secret]")
  })

  it("redacts a secret in base64, alone and within a longer text", () => {
    const secret = "sk-SECRET-\u00ff\u00fe\u00ff-12345"
    const clean = scrubber([secret])!
    for (const encoding of ["base64", "base64url"] as const) {
      const alone = Buffer.from(secret).toString(encoding)
      assert.strictEqual(clean(`the key ${alone} is wrong`), "the key [secret] is wrong")
      for (const user of ["u", "us", "use", "user"]) {
        const text = clean(Buffer.from(`${user}:${secret};`).toString(encoding))
        assert.match(text, /^.{1,7}\[secret\].{1,4}$/)
      }
    }
  })

  it("redacts every spelling of a secret that programs echo", () => {
    const secret = `sk-"A&B<'c>+é/=42`
    const clean = scrubber([secret])!
    const each = (spelled: (character: string) => string) => [...secret].map(spelled).join("")
    const code = (one: string, radix: number) => one.codePointAt(0)!.toString(radix)
    const html = (quote: string, apostrophe: string) =>
      secret
        .replaceAll("&", "&amp;")
        .replaceAll("<", "&lt;")
        .replaceAll(">", "&gt;")
        .replaceAll('"', quote)
        .replaceAll("'", apostrophe)
    const spellings = [
      Buffer.from(secret).toString("hex"),
      Buffer.from(secret).toString("hex").toUpperCase(),
      each((one) => `\\u${code(one, 16).padStart(4, "0")}`),
      each((one) => `\\u${code(one, 16).padStart(4, "0").toUpperCase()}`),
      each((one) => `&#${code(one, 10)};`),
      each((one) => `&#x${code(one, 16)};`),
      html("&quot;", "&apos;"),
      html("&quot;", "&#39;"),
      html("&quot;", "&#x27;").replace("&quot;", "&#x22;"),
      html('"', "'"),
      encodeURIComponent(encodeURIComponent(secret)),
      JSON.stringify(secret)
        .slice(1, -1)
        .replaceAll(/[&<>'+]/g, (one) => `\\u00${code(one, 16)}`),
    ]
    for (const spelling of spellings) {
      assert.strictEqual(
        clean(`the key ${spelling} is wrong`),
        "the key [secret] is wrong",
        spelling,
      )
    }
  })

  it("redacts a secret that is escaped in JSON or a URL", () => {
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

  it("redacts a secret that starts with another secret as a whole", () => {
    assert.strictEqual(
      scrubber(["hunter22", "hunter22-and-more"])!("hunter22-and-more"),
      "[secret]",
    )
  })

  it("is undefined when every secret is too short to match safely", () => {
    assert.isUndefined(scrubber(["12345"]))
  })
})
