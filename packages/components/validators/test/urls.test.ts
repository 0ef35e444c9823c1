/** The validator `urls`: hosts that are allowed, and links that deceive. */
import { validatorSuite } from "@planloom/testing"
import { assert, describe, it } from "vitest"
import { of, places, validated } from "./of.ts"
import { longTexts, streamedOtherwise } from "./streamLaw.ts"

const allow = ["acme-bank.com", "example.org"]

const refused: ReadonlyArray<readonly [text: string, issue: string, link?: string]> = [
  ["See https://evil.io/login.", "another host", "https://evil.io/login"],
  ["[Pay](http://evil.io/x)", "another host", "http://evil.io/x"],
  ["Go to evil-shop.com/pay now", "another host", "evil-shop.com/pay"],
  ["https://acme-bank.com@evil.io/", "a name before the host"],
  ["https://acme-bank.com.evil.io/", "a host that looks like acme-bank.com"],
  ["https://acme-banк.com/", "a host in several scripts"],
  ["https://xn--acme-ban-t9g.com/", "a host in several scripts"],
  ["https://acrne-bank.com/", "a host that looks like acme-bank.com"],
  ["https://acme-bnak.com/", "a host that looks like acme-bank.com"],
  ["https://acmebank.com/", "a host that looks like acme-bank.com"],
  ["http://192.168.0.1/x and http://0x7f000001/", "an IP address for a host"],
  ["javascript:alert(1)", "another scheme", "javascript:alert"],
  ["data:text/html;base64,AAAA", "another scheme", "data:text/html;base64,AAAA"],
]

const passed: ReadonlyArray<string> = [
  "https://acme-bank.com, https://app.acme-bank.com/x?y=1 and www.example.org.",
  "Write to ada@evil.io or mailto:ada@acme-bank.com",
  "Call tel:+15550100. Note: 17:30, see main.rs and README.md",
  "It is done.Is it? Yes.Thanks",
  "e.g. this, i.e. that, 3.5 or 1.2.3",
]

validatorSuite({ describe, it }, of("urls"), [
  {
    name: "replaces a link to another host",
    text: "https://evil.io",
    with: { allow },
    verdict: "replace",
  },
  {
    name: "passes an allowed host",
    text: "https://acme-bank.com",
    with: { allow },
    verdict: "pass",
  },
  { name: "passes other hosts without a list", text: "https://evil.io", verdict: "pass" },
  {
    name: "blocks a deception without a list",
    text: "http://a@evil.io",
    with: { action: "block" },
    verdict: "block",
  },
  {
    name: "passes an added scheme",
    text: "ftp://acme-bank.com",
    with: { allow, schemes: ["ftp"] },
    verdict: "pass",
  },
])

describe("links", () => {
  it.each(refused.map(([text, issue, link]) => ({ text, issue, link })))(
    "refused in $text",
    ({ issue, link, text }) => {
      assert.deepStrictEqual(validated("urls", text, { allow }).issues, [issue])
      if (link !== undefined) assert.deepStrictEqual(places("urls", text, { allow }), [link])
    },
  )

  it.each(passed)("passed in %j", (text) => {
    assert.deepStrictEqual(places("urls", text, { allow }), [])
  })

  it("are searched in linear time", () => {
    for (const text of longTexts("a.com ", "http://", "://", "@a.", "www.")) {
      assert.isDefined(validated("urls", text, { allow }).verdict)
    }
  })

  it("are the same in a streamed text", () => {
    const fragments = [
      "https://",
      "evil.io",
      "/x",
      "acme-bank.com",
      "@",
      "(",
      "http://1.2.3.4",
      "word",
    ]
    assert.isNull(streamedOtherwise(of("urls"), { allow }, fragments))
  })
})
