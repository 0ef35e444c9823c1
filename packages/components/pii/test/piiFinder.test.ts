/** Personal data in texts: what is found, what is not, and that streamed text gives the same. */
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { piiFinder, piiKinds, type PiiOptions } from "../src/index.ts"
import { cases } from "../../../../.config/cases.ts"

const texts = (text: string, options: PiiOptions = { kinds: piiKinds }): ReadonlyArray<string> =>
  piiFinder(options)
    .find(text)
    .map(({ end, kind, start }) => `${kind} ${text.slice(start, end)}`)

const found: ReadonlyArray<readonly [text: string, ...found: ReadonlyArray<string>]> = [
  ["Write to ada@example.org.Thanks", "email ada@example.org"],
  ["„josé.lópez+x@correo.com.mx“", "email josé.lópez+x@correo.com.mx"],
  ["(o'neil@example.co.uk, b@example.com)", "email o'neil@example.co.uk", "email b@example.com"],
  ["4111111111111111", "card 4111111111111111"],
  ["Amex 3782-822463-10005 2027", "card 3782-822463-10005"],
  ["4111 1111 1111 1111 12/27", "card 4111 1111 1111 1111"],
  ["ref 12 4111 1111 1111 1111", "card 4111 1111 1111 1111"],
  ["4111\u00a01111\u00a01111\u00a01111", "card 4111\u00a01111\u00a01111\u00a01111"],
  ["de89370400440532013000 and more", "iban de89370400440532013000"],
  ["GB82 WEST 1234 5698 7654 32 IBAN", "iban GB82 WEST 1234 5698 7654 32"],
  ["My SSN is 536-22-1234.", "ssn 536-22-1234"],
  ["Call +1 415 555 2671 now", "phone +1 415 555 2671"],
  ["from 10.0.0.1, to ::ffff:10.0.0.1", "ip 10.0.0.1", "ip ::ffff:10.0.0.1"],
  ["at 2001:db8::8a2e:370:7334.", "ip 2001:db8::8a2e:370:7334"],
  [
    "4111.1111.1111.1111 or 4111_1111_1111_1111.",
    "card 4111.1111.1111.1111",
    "card 4111_1111_1111_1111",
  ],
  ["４１１１１１１１１１１１１１１１", "card ４１１１１１１１１１１１１１１１"],
  ["٤١١١ ١١١١ ١١١١ ١١١١", "card ٤١١١ ١١١١ ١١١١ ١١١١"],
  ["4111\u20091111\u20111111\u202f1111!", "card 4111\u20091111\u20111111\u202f1111"],
  ["4\u200b1\u200b11111111111111", "card 4\u200b1\u200b11111111111111"],
  ["j\u200bo@gm\u00adail.com", "email j\u200bo@gm\u00adail.com"],
  ["jo＠example．org", "email jo＠example．org"],
  ["𝟒𝟏𝟏𝟏 1111 1111 1111 ✈️", "card 𝟒𝟏𝟏𝟏 1111 1111 1111"],
  ["GB29-NWBK-6016-1331-9268-19", "iban GB29-NWBK-6016-1331-9268-19"],
  ["536.22.1234", "ssn 536.22.1234"],
  ["SSN: 536 22 1234; social security number 536221234", "ssn 536 22 1234", "ssn 536221234"],
  ["+1-984-182-0190 is not assigned", "phone +1-984-182-0190"],
  ["mi celular es 55 1234 5678", "phone 55 1234 5678"],
  ["Mi CLABE es 032180000118359719.", "clabe 032180000118359719"],
  ["032-180-00011835971-9", "clabe 032-180-00011835971-9"],
  ["CBU: 2850590940090418135201", "cbu 2850590940090418135201"],
  ["28505909 40090418135201", "cbu 28505909 40090418135201"],
  ["routing 021000021, account 12345", "routing 021000021"],
  ["0110-0001-5 is the ABA number", "routing 0110-0001-5"],
  ["O cpf é 529.982.247-25 ou 52998224725", "cpf 529.982.247-25", "cpf 52998224725"],
  ["DNI 12345678Z; NIE x-1234567-l", "dni 12345678Z", "dni x-1234567-l"],
  ["12.345.678-Z, which is my DNI", "dni 12.345.678-Z"],
  ["Mi DNI argentino es 12.345.678", "dni 12.345.678"],
  ["Factura a A58818501 y a PT 501964843", "nif A58818501", "nif PT 501964843"],
  ["Phone number: 0494 92 82 32, fax 467 3395", "phone 0494 92 82 32", "phone 467 3395"],
]

const notFound: ReadonlyArray<string> = [
  "ann@home and me@localhost",
  "@ada follows @bob",
  "4111 1111 1111 1112",
  "a0411111111111111f1 and U62928788557186",
  "0.4111111111111111",
  "DE89 3704 0044 0532 0130 01",
  "900-22-1234, 000-12-3456, 536-00-1234, 536-22-0000",
  "2024-01-15, 17.45 and 1,234,567.89 at 12:30:45",
  "version 1.2.3.4.5 of std::vector, a::b",
  "256.1.1.1",
  "4111.1111.1111.1112 and 4.000.000.000.006",
  "536 22 1234 and 536221234",
  "order number 55 1234 5678",
  "order 032180000118359719 and 2850590940090418135201",
  "CLABE 032180000118359718, CBU 2850590940090418135202, routing 021000022",
  "order 123456780, account 021000021, 52998224725",
  "529.982.247-26, cpf 11111111111",
  "part 12345678Z, DNI 12345678A, CIF A58818502, NIF 501964844",
  "The DNI has expired. Order 12345678",
  "my phone has 64 GB and costs 499.00",
  `4111${"\u200b".repeat(9)}111111111111`,
]

describe("personal data", () => {
  it.each(found)("in %j", (text, ...expected) => {
    assert.deepStrictEqual(texts(text), expected)
  })

  it.each(notFound)("not in %j", (text) => {
    assert.deepStrictEqual(texts(text), [])
  })

  it("is searched but for IP addresses unless kinds are named", () => {
    assert.deepStrictEqual(texts("10.0.0.1 a@example.org", {}), ["email a@example.org"])
  })

  it("has phone numbers of every named country", () => {
    const text = "(415) 555-2671 or 55 1234 5678"
    assert.deepStrictEqual(texts(text, {}), [])
    assert.deepStrictEqual(texts(text, { countries: ["US", "MX"] }), [
      "phone (415) 555-2671",
      "phone 55 1234 5678",
    ])
  })

  it("rejects a country that does not exist", () => {
    assert.throws(() => piiFinder({ countries: ["XX"] }), '"XX" is not the code of a country')
  })

  it("is searched in linear time", () => {
    const { find, pending } = piiFinder({ kinds: piiKinds, countries: ["US"] })
    for (const unit of [
      "a",
      "1 ",
      "a.",
      "@a",
      "a@",
      "DE89 ",
      "1-",
      "a@b.",
      "1.",
      "1:",
      "::",
      "4",
      "DNI ",
      "1234567 ",
      "021000021 is ",
      "X-",
    ]) {
      const text = unit.repeat(5000)
      assert.deepStrictEqual(find(text), [], unit)
      pending(text)
    }
  })
})

describe("the end of a text that more text could turn into personal data", () => {
  const { longest, pending } = piiFinder({ kinds: piiKinds, countries: ["US"] })
  const ends: ReadonlyArray<readonly [settled: string, open: string]> = [
    ["Hello there. ", ""],
    ["Write to ", "ada"],
    ["Write to ", "ada@exam"],
    ["It costs ", "4111 11"],
    ["It costs ", "4111 1111 1111 1111"],
    ["My number is ", "536-2"],
    ["Call ", "+1 (415"],
    ["Ready! ", ""],
  ]
  it.each(ends)("of %j + %j", (settled, open) => {
    assert.strictEqual(pending(settled + open), settled.length)
  })

  it("is never longer than the longest match, but for a match that it would cut", () => {
    for (const unit of ["a", "1 ", "a.", "@a", "1", "DE89 "]) {
      const text = unit.repeat(1000)
      assert.isAtLeast(pending(text), text.length - longest)
    }
  })
})

describe("personal data in a streamed text", () => {
  const fragments = [
    "ada@example.org",
    "4111 1111 1111 1111",
    "378282246310005",
    "DE89 3704 0044 0532 0130 00",
    "GB82WEST12345698765432",
    "536-22-1234",
    "+1 415 555 2671",
    "(415) 555-2671",
    "10.0.0.1",
    "hello",
    "Ab",
    "12",
    "2024-01-15",
    "4111.1111.1111.1111",
    "４１１１",
    "\u200b",
    "\u2009",
    "SSN ",
    "536221234",
    "fax: ",
    "+1-984-182-0190",
    "GB29-NWBK-6016-1331-9268-19",
    "032180000118359719",
    "28505909 40090418135201",
    " routing ",
    " is the ABA",
    "021000021",
    "CLABE ",
    "DNI ",
    "X1234567L",
    "52998224725",
    "PT ",
    "@",
    ".",
    ",",
    "-",
    " ",
    " ",
    "\n",
    ": ",
    "é",
    "✈️",
  ]
  const finder = piiFinder({ kinds: piiKinds, countries: ["US"] })
  const redact = (text: string, from = 0, to = text.length): string => {
    let redacted = ""
    let at = from
    for (const { end, kind, start } of finder.find(text)) {
      if (start < from || start >= to) continue
      redacted += `${text.slice(at, start)}[${kind}]`
      at = end
    }
    return redacted + text.slice(at, Math.max(at, to))
  }

  it("is the same where a match reaches into one that reaches into an open end", () => {
    const text = "+1 415 555 2671 4111.1111.1111.1111ada@example.org"
    let released = ""
    let settled = 0
    for (let end = 1; end <= text.length; end++) {
      const open = Math.max(settled, finder.pending(text.slice(0, end)))
      released += redact(text.slice(0, end), settled, open)
      settled = open
    }
    assert.strictEqual(released + redact(text, settled), redact(text))
  })

  it("is the same for every way to cut the text into parts", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...fragments), { maxLength: 14 }),
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 }),
        (pieces, sizes) => {
          const text = pieces.join("")
          let released = ""
          let settled = 0
          for (let end = 0, part = 0; end < text.length; part++) {
            end = Math.min(text.length, end + sizes[part % sizes.length]!)
            const soFar = text.slice(0, end)
            const open = Math.max(settled, finder.pending(soFar))
            released += redact(soFar, settled, open)
            settled = open
          }
          assert.strictEqual(released + redact(text, settled), redact(text))
        },
      ),
      { numRuns: cases(300, 2) },
    )
  })
})
