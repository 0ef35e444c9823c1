/** The gate of the key `shadow`: what leaves of a reply, and what its user gets instead. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ESCALATION, emails, finding, forbidden, gated, pass, type Probe } from "./probe.ts"

const words = (text: string) => text.match(/\S+\s*/g)!

const whole = (id: string, review: Probe["review"], more: object = {}): Probe =>
  ({ id, review, ...more }) as Probe

describe("validators on a stream", () => {
  it.effect(
    "let the first text leave with the second part, and lose nothing of a reply that passes",
    () =>
      Effect.gen(function* () {
        const text = "The rate is 17.45 pesos for each dollar today.\n\nIt may change. "
        const course = yield* gated([emails], words(text))
        assert.deepStrictEqual([course.text, course.released, course.stop], [text, text, false])
        assert.isAtMost(course.first, 2)
      }),
  )

  it.effect("replace a match that comes in pieces before any of it leaves", () =>
    Effect.gen(function* () {
      const course = yield* gated([emails], ["Write to an", "n@ba", "nk.com", " today", "."])
      assert.strictEqual(course.text, "Write to [email] today.")
      assert.strictEqual(course.released, course.text)
      assert.isTrue(course.stop)
      // The second one reviews the changed text.
      assert.deepStrictEqual(course.reported, [
        ["emails", "replace", "verdict"],
        ["emails", "pass", "verdict"],
      ])
    }),
  )

  it.effect("hold back the last characters of a window where they do not say what is pending", () =>
    Effect.gen(function* () {
      const { pending: _, ...plain } = emails
      const course = yield* gated([plain], ["a ".repeat(40), "ann@bank.com ", "b ".repeat(40)])
      assert.strictEqual(course.text, `${"a ".repeat(40)}[email] ${"b ".repeat(40)}`)
      assert.strictEqual(course.first, 1)
    }),
  )

  it.effect("read again only their own open ends, however much another one holds back", () =>
    Effect.gen(function* () {
      let most = 0
      const reading = {
        ...emails,
        lookbehind: 1,
        validate: (text: string) => {
          most = Math.max(most, text.length)
          return pass
        },
      }
      const holding: Probe = { id: "holding", window: 4000, validate: () => pass, pending: () => 0 }
      const course = yield* gated([reading, holding], words("Some words of a reply. ".repeat(40)))
      assert.strictEqual(course.text, "Some words of a reply. ".repeat(40))
      assert.strictEqual(course.released, course.text)
      // A word, and the last character of the one before it.
      assert.isAtMost(most, "reply. ".length + 1)
    }),
  )

  it.effect("do not count a match that the next characters undo", () =>
    Effect.gen(function* () {
      const course = yield* gated([emails], ["aaaaaaa@bank.com", "munity is no address"])
      assert.deepStrictEqual(
        [course.text, course.stop, course.reported],
        ["aaaaaaa@bank.community is no address", false, [["emails", "pass", "verdict"]]],
      )
    }),
  )

  it.effect("block before any of the match leaves, and read no further part", () =>
    Effect.gen(function* () {
      const course = yield* gated(
        [forbidden],
        words("Our profit is guaranteed for you. ".repeat(5)),
      )
      assert.strictEqual(course.text, ESCALATION)
      assert.notInclude(course.released, "guar")
      assert.isTrue("Our profit is ".startsWith(course.released))
      assert.isAtMost(course.read, 6)
      assert.isTrue(course.stop)
      assert.strictEqual(course.settlement?.outcome.verdict, "block")
    }),
  )

  it.effect("that fail count as their policy says", () =>
    Effect.gen(function* () {
      const broken = { ...emails, validate: () => finding("replace") }
      const closed = yield* gated([broken], ["Good."])
      const open = yield* gated([broken], ["Good."], { on_error: { emails: "flag" } })
      assert.deepStrictEqual([closed.text, open.text], [ESCALATION, "Good."])
      assert.deepStrictEqual(open.reported, [["emails", "flag", "invalid"]])
    }),
  )
})

describe("subagents on a stream", () => {
  const bad = (text: string) => {
    const start = text.indexOf("BAD")
    return start < 0 ? pass : finding("block", { spans: [{ start, end: start + 3 }] })
  }
  const reader = (review: Probe["review"]) =>
    whole("reader", review, { at: "window", longest: 10, spans: true })
  const long = words("some words that are good ".repeat(40))

  it.effect("read blocks beside each other and let the text leave in order", () =>
    Effect.gen(function* () {
      let running = 0
      let most = 0
      const slow = reader((text) =>
        Effect.gen(function* () {
          most = Math.max(most, ++running)
          yield* Effect.yieldNow
          yield* Effect.yieldNow
          running--
          return bad(text)
        }),
      )
      const course = yield* gated([slow], long)
      assert.strictEqual(course.released, long.join(""))
      assert.strictEqual(course.text, course.released)
      assert.isAbove(most, 1)
      assert.isAbove(course.asked.length, 4)
      assert.deepStrictEqual(course.reported, [["reader", "pass", "verdict"]])
    }),
  )

  it.effect("block a match across two blocks before any of it leaves", () =>
    Effect.gen(function* () {
      const text = `${"x".repeat(157)} BAD ${"y ".repeat(200)}`
      const course = yield* gated([reader((part) => bad(part))], words(text))
      assert.strictEqual(course.text, ESCALATION)
      assert.notInclude(course.released, "B")
    }),
  )

  it.effect("replace places", () =>
    Effect.gen(function* () {
      const text = `${"so ".repeat(60)}BAD ${"so ".repeat(60)}`
      const masking = reader((part) => {
        const found = bad(part)
        return found.verdict === "pass" ? found : { ...found, verdict: "replace", text: "***" }
      })
      const course = yield* gated([masking], words(text))
      assert.strictEqual(course.text, text.replace("BAD", "***"))
      assert.strictEqual(course.released, course.text)
    }),
  )
})

describe("reviewers of the whole text", () => {
  it.effect("let nothing leave before they have passed it", () =>
    Effect.gen(function* () {
      const course = yield* gated([whole("judge", () => pass)], ["One ", "two."])
      assert.deepStrictEqual([course.released, course.text], ["", "One two."])
    }),
  )

  it.effect("that cannot hold it back let it leave while it is written", () =>
    Effect.gen(function* () {
      const enricher = whole("promotion", () => finding("enrich", { text: "Ask for 2 %." }), {
        can: ["pass", "enrich"],
      })
      const course = yield* gated([enricher], ["One ", "two."])
      assert.deepStrictEqual(
        [course.released, course.text],
        ["One two.", "One two.\n\nAsk for 2 %."],
      )
      assert.isFalse(course.stop)
    }),
  )

  it.effect("leave out an addition that a validator does not accept", () =>
    Effect.gen(function* () {
      const enricher = whole("promotion", () => finding("enrich", { text: "It is guaranteed." }))
      const course = yield* gated([forbidden, enricher], ["One two."])
      assert.strictEqual(course.text, "One two.")
      assert.include(
        course.findings.map(({ reason }) => reason),
        'the addition of "promotion" is left out: block',
      )
      assert.strictEqual(course.asked.length, 1)
    }),
  )

  it.effect.each(["compliance", "safety"] as const)(
    "block a text without an addition that the class %s needs",
    (protects) =>
      Effect.gen(function* () {
        const required = {
          ...whole("duty", () => finding("enrich", { text: "It is guaranteed." })),
          class: protects,
        }
        const course = yield* gated([forbidden, required], ["One two."])
        assert.deepStrictEqual([course.text, course.stop], [ESCALATION, true])
      }),
  )

  it.effect("replace the text, and review the new one once more", () =>
    Effect.gen(function* () {
      const judge = whole("judge", (text) =>
        text.includes("rude") ? finding("replace", { text: "Kind." }) : pass,
      )
      const course = yield* gated([judge], ["A rude text."])
      assert.deepStrictEqual([course.text, course.stop], ["Kind.", true])
      assert.deepStrictEqual(course.asked, [
        ["judge", "A rude text."],
        ["judge", "Kind."],
      ])
    }),
  )

  it.effect.each([
    ["block", ESCALATION],
    ["flag", "Never right."],
  ] as const)("whose replacement is not accepted are a conflict: %s", ([on_conflict, text]) =>
    Effect.gen(function* () {
      const judge = whole("judge", () => finding("replace", { text: "Never right." }))
      const course = yield* gated([judge], ["A text."], { gate: ["judge"], on_conflict })
      assert.strictEqual(course.text, text)
      assert.strictEqual(course.asked.length, 2)
    }),
  )

  it.effect("that both write the text anew work one after the other, in declared order", () =>
    Effect.gen(function* () {
      const soft = whole("soft", (text) =>
        text.includes("rude") ? finding("replace", { text: text.replace("rude", "kind") }) : pass,
      )
      const short = whole("short", (text) =>
        text.includes("very") ? finding("replace", { text: text.replace("very ", "") }) : pass,
      )
      const course = yield* gated([soft, short], ["A very rude text."])
      assert.strictEqual(course.text, "A kind text.")
    }),
  )

  it.effect("do not read a reply without text", () =>
    Effect.gen(function* () {
      const course = yield* gated([whole("judge", () => finding("block"))], [])
      assert.deepStrictEqual([course.text, course.stop, course.asked.length], ["", false, 0])
    }),
  )
})

describe("reviewers of the request", () => {
  const input = (review: Probe["review"], more: object = {}) =>
    whole("intent", review, { at: "input", can: ["pass", "flag", "block"], ...more })

  it.effect("that block it keep the model from being asked", () =>
    Effect.gen(function* () {
      const course = yield* gated([input(() => finding("block"))], ["One ", "two."])
      assert.deepStrictEqual([course.text, course.read, course.stop], [ESCALATION, 0, true])
    }),
  )

  it.effect("read what the user asked for", () =>
    Effect.gen(function* () {
      const course = yield* gated([input(() => finding("flag"))], ["One."])
      assert.deepStrictEqual([course.text, course.asked], ["One.", [["intent", "What?"]]])
    }),
  )
})

describe("what is kept of a blocked reply", () => {
  const text = "Write to ann@bank.com: our profit is guaranteed for you, always. "
  const reader = whole("reader", (part) => (part.includes("always") ? finding("block") : pass), {
    at: "window",
    longest: 10,
    spans: true,
  })

  it.effect(
    "is the text up to the end of the part that a validator blocks, with replaced places",
    () =>
      Effect.gen(function* () {
        const course = yield* gated([emails, forbidden], words(text))
        assert.strictEqual(
          course.settlement?.written.trim(),
          "Write to [email]: our profit is guaranteed",
        )
      }),
  )

  it.effect("holds what subagents on the stream have not passed yet", () =>
    Effect.gen(function* () {
      const before = "so ".repeat(50)
      const course = yield* gated([forbidden, reader], words(before + text))
      assert.isTrue(
        course.settlement?.written.startsWith(`${before}Write to ann@bank.com: our profit is guar`),
      )
    }),
  )

  it.effect("is the text up to the end of the block that a subagent blocks", () =>
    Effect.gen(function* () {
      const course = yield* gated([emails, reader], words(text + "so ".repeat(200)))
      const { written = "" } = course.settlement ?? {}
      assert.isTrue(
        written.startsWith("Write to [email]: our profit is guaranteed for you, always. so so "),
      )
      assert.isBelow(written.length, 300)
      assert.strictEqual(course.released, "")
    }),
  )
})

describe("policies", () => {
  it.effect("count a finding of low confidence as a flag, by number, class or id", () =>
    Effect.gen(function* () {
      const judge = whole("judge", () => finding("block", { confidence: 0.6 }))
      const texts = yield* Effect.forEach(
        [0.5, 0.7, { quality: 0.7 }, { judge: 0.5, quality: 0.7 }] as const,
        (confidence) =>
          Effect.map(
            gated([judge], ["Good."], { gate: ["judge"], confidence }),
            ({ text }) => text,
          ),
      )
      assert.deepStrictEqual(texts, [ESCALATION, "Good.", "Good.", ESCALATION])
    }),
  )

  it.effect("count failed reviews of safety and compliance as blocks, others as flags", () =>
    Effect.gen(function* () {
      for (const [protects, text] of [
        ["safety", ESCALATION],
        ["compliance", ESCALATION],
        ["quality", "Good."],
        ["tone", "Good."],
      ] as const) {
        for (const cause of ["timeout", "error", "invalid"] as const) {
          const course = yield* gated([whole("one", () => cause, { class: protects })], ["Good."])
          assert.strictEqual(course.text, text, `${protects} ${cause}`)
        }
      }
    }),
  )
})
