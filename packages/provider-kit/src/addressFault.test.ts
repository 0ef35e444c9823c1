import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { addressFault } from "./addressFault.ts"

describe("an address", () => {
  it("is well where requests can be sent to it", () => {
    for (const address of [
      "http://localhost:11434/v1",
      "https://api.example.com",
      "https://api.example.com/",
      "http://[::1]:8080/v1",
      "http://10.0.0.7",
      "https://käse.example/v1/",
      "https://gateway.example.org/a/b:c/openai",
    ]) {
      assert.isUndefined(addressFault(address), address)
    }
  })

  it("is refused with what to do about it, and is never repeated", () => {
    const rows: ReadonlyArray<readonly [string, RegExp]> = [
      ["localhost:11434/v1", /http:\/\/ or https:\/\/ is missing/],
      ["api.example.com/v1", /http:\/\/ or https:\/\/ is missing/],
      ["10.0.0.7", /http:\/\/ or https:\/\/ is missing/],
      ["ftp://files.example", /not with ftp:\/\//],
      ["ws://10.0.0.7/v1", /not with ws:\/\//],
      ["", /no address/],
      ["//host/v1", /no address/],
      ["/v1", /no address/],
      ["https:/host", /no address/],
      ["https:host", /no address/],
      ["http://", /no address/],
      ["http:///v1", /no address/],
      ["http://10.0.0.7:99999", /no address/],
      ["https://a b.example", /no address/],
      ["https://a.example/v1 ", /no address/],
      ["${{ env.SERVER }}", /no address/],
      ["https://ann:pass-of-ann@a.example/v1", /name and a password/],
      ["https://a.example/v1?key=pass-of-ann", /before \? and #/],
      ["https://a.example/v1#x", /before \? and #/],
    ]
    for (const [address, says] of rows) {
      const fault = addressFault(address)
      assert.match(fault ?? "", says, address)
      assert.notInclude(fault, "pass-of-ann")
    }
  })

  it("that is well can have a path appended, and leads to the host it names", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.webUrl(), fc.string(), fc.webUrl({ withQueryParameters: true })),
        (address) => {
          if (addressFault(address) !== undefined) return
          const asked = new URL(`${address.replace(/\/$/, "")}/chat/completions`)
          assert.match(asked.protocol, /^https?:$/)
          assert.strictEqual(asked.host, new URL(address).host)
          assert.isTrue(asked.pathname.endsWith("/chat/completions"))
          assert.strictEqual(asked.search + asked.hash, "")
        },
      ),
    )
  })
})
