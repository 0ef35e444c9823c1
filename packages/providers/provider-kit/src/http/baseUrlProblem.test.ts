/** Accepted and refused base URLs of services. */
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { baseUrlProblem } from "./baseUrlProblem.ts"

describe("baseUrlProblem", () => {
  it("accepts a base URL that requests can be sent to", () => {
    for (const address of [
      "http://localhost:11434/v1",
      "https://api.example.com",
      "https://api.example.com/",
      "http://[::1]:8080/v1",
      "http://10.0.0.7",
      "https://käse.example/v1/",
      "https://gateway.example.org/a/b:c/openai",
    ]) {
      assert.isUndefined(baseUrlProblem(address), address)
    }
  })

  it("reports how to fix an invalid base URL without repeating it", () => {
    const rows: ReadonlyArray<readonly [string, RegExp]> = [
      ["localhost:11434/v1", /http:\/\/ or https:\/\/ is missing/],
      ["api.example.com/v1", /http:\/\/ or https:\/\/ is missing/],
      ["10.0.0.7", /http:\/\/ or https:\/\/ is missing/],
      ["ftp://files.example", /not with ftp:\/\//],
      ["ws://10.0.0.7/v1", /not with ws:\/\//],
      ["", /not a valid address/],
      ["//host/v1", /not a valid address/],
      ["/v1", /not a valid address/],
      ["https:/host", /not a valid address/],
      ["https:host", /not a valid address/],
      ["http://", /not a valid address/],
      ["http:///v1", /not a valid address/],
      ["http://10.0.0.7:99999", /not a valid address/],
      ["https://a b.example", /not a valid address/],
      ["https://a.example/v1 ", /not a valid address/],
      ["${{ env.SERVER }}", /not a valid address/],
      ["https://ann:pass-of-ann@a.example/v1", /name and a password/],
      ["https://a.example/v1?key=pass-of-ann", /before \? and #/],
      ["https://a.example/v1#x", /before \? and #/],
    ]
    for (const [address, expected] of rows) {
      const problem = baseUrlProblem(address)
      assert.match(problem ?? "", expected, address)
      assert.notInclude(problem, "pass-of-ann")
    }
  })

  it("an accepted base URL takes an appended path and keeps its host", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.webUrl(), fc.string(), fc.webUrl({ withQueryParameters: true })),
        (address) => {
          if (baseUrlProblem(address) !== undefined) return
          const requested = new URL(`${address.replace(/\/$/, "")}/chat/completions`)
          assert.match(requested.protocol, /^https?:$/)
          assert.strictEqual(requested.host, new URL(address).host)
          assert.isTrue(requested.pathname.endsWith("/chat/completions"))
          assert.strictEqual(requested.search + requested.hash, "")
        },
      ),
    )
  })
})
