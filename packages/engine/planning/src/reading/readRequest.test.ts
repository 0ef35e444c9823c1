/** Requests read as tool calls without a model: what acts, what asks, and that no inserted word is ignored. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Tool } from "@planloom/plugin/effect"
import { callWords, english, readRequest, readWords, type RequestReading } from "./index.ts"

const tool = (name: string, rest: Partial<Tool>): Tool => ({
  name,
  summary: "",
  capabilities: [],
  inputs: {},
  outputs: [],
  params: { type: "object", properties: {} },
  ...rest,
})

const object = (properties: object, required: ReadonlyArray<string> = []) => ({
  type: "object",
  properties,
  required,
})

const valve = (name: string, examples: ReadonlyArray<string>) =>
  tool(name, {
    summary: "Opens or closes a valve.",
    examples,
    words: { state: { open: ["open", "unblock"], closed: ["closed", "close", "shut"] } },
    params: object({ state: { type: "string", enum: ["open", "closed"] } }, ["state"]),
  })

const tools = [
  valve("main_valve", ["open the main valve", "close the main valve"]),
  valve("drain_valve", ["open the drain valve", "shut the drain"]),
  tool("find_notes", {
    summary: "Finds notes.",
    effect: "read",
    keywords: ["note", "notes"],
    params: object({ query: { type: "string" } }, ["query"]),
  }),
  tool("list_readings", {
    summary: "Lists pressure readings.",
    effect: "read",
    keywords: ["pressure", "reading"],
    params: object({
      from: { type: "string", format: "date" },
      to: { type: "string", format: "date" },
      limit: { type: "integer" },
    }),
  }),
  tool("show_shifts", {
    summary: "Shows the shifts of a day.",
    effect: "read",
    examples: ["what do I have tomorrow", "who works on Friday"],
    keywords: ["shift", "last", "working on"],
    params: object({ day: { type: "string", format: "date" } }),
  }),
  tool("leave_note", {
    summary: "Leaves a message on the board.",
    keywords: ["leave", "message", "board"],
    params: object({ text: { type: "string" } }, ["text"]),
  }),
]

const calls = tools.map((one) => callWords(one, english))

const read = (text: string, before?: string): RequestReading =>
  readRequest({
    text,
    grammar: english,
    today: "2026-11-21",
    calls,
    // Every tool is near: order is that of the declaration.
    near: () => tools.map(({ name }) => name),
    ...(before === undefined ? {} : { before: { text: before, reading: read(before) } }),
  })

/** The calls as text; a question; or the words that stay open. */
const outcome = (reading: RequestReading): string => {
  if (reading.type === "calls")
    return reading.calls
      .map(({ call, params }) => `${call.tool.name} ${JSON.stringify(params)}`)
      .join(" + ")
  return reading.type === "ask" ? reading.question.text : `open: ${reading.open.join(", ")}`
}

const acts = (reading: RequestReading): boolean =>
  reading.type === "calls" && reading.calls.some(({ call }) => call.writes)

const parcels = [
  tool("track_parcel", {
    summary: "Tracks a parcel.",
    effect: "read",
    keywords: ["parcel", "weighing", "kilos"],
    params: object(
      {
        parcel: { type: "string", pattern: "^[A-Z]{1,2}-?[0-9]{1,6}$" },
        kilos: { type: "number" },
      },
      ["parcel"],
    ),
  }),
  tool("open_locker", {
    summary: "Unlocks a locker.",
    keywords: ["locker"],
    params: object({ box: { type: "object" } }, ["box"]),
  }),
].map((one) => callWords(one, english))

describe("a code", () => {
  const readCode = (text: string) =>
    outcome(
      readRequest({
        text,
        grammar: english,
        today: "2026-11-21",
        calls: parcels,
        near: () => parcels.map(({ tool: { name } }) => name),
      }),
    )

  it.each([
    ["where is parcel P-17", 'track_parcel {"parcel":"P-17"}'],
    ["where is parcel AB123456 weighing 5 kilos", 'track_parcel {"parcel":"AB123456","kilos":5}'],
    ["where is my parcel", "Track parcel: which parcel?"],
  ])("with a digit that fits the whole pattern of a param is its value: %j", (text, expected) => {
    expect(readCode(text)).toBe(expected)
  })

  it.each(["where is parcel P-1 or P-2", "where is parcel QRS-17", "where is parcel P-12345678"])(
    "stays open if there are two, or none fits: %j",
    (text) => {
      expect(readCode(text)).toMatch(/^open: .*\d/)
    },
  )

  it("that no words can give is not asked for", () => {
    expect(readCode("open the locker")).toBe("open: ")
  })
})

describe("a text that only filters what is on some days", () => {
  const visits = callWords(
    tool("list_visits", {
      summary: "Lists visits.",
      effect: "read",
      keywords: ["visit", "visits", "monday"],
      params: object({
        from: { type: "string", format: "date" },
        to: { type: "string", format: "date" },
        about: { type: "string", role: "query" },
      }),
    }),
    english,
  )
  const readVisits = (text: string) =>
    outcome(
      readRequest({
        text,
        grammar: english,
        today: "2026-11-21",
        calls: [visits],
        near: () => ["list_visits"],
      }),
    )

  it.each([
    ["visits of the plumber", 'list_visits {"about":"plumber"}'],
    [
      "visits of the plumber on monday",
      'list_visits {"from":"2026-11-23","to":"2026-11-23","about":"plumber"}',
    ],
    ["visits tomorow", 'List visits with about "tomorow"? I did not understand "tomorow".'],
    ["visits on mondya", 'List visits with about "mondya"? I did not understand "mondya".'],
    [
      "visits of the plumber in 2 weeks",
      'List visits with about "plumber in 2 weeks"? I did not understand "plumber in 2 weeks".',
    ],
  ])("is asked about with a word of time that names no day: %j", (text, expected) => {
    expect(readVisits(text)).toBe(expected)
  })
})

describe("readRequest", () => {
  it.each([
    ["please shut the main valve", 'main_valve {"state":"closed"}'],
    ["could you unblock the drain valve", 'drain_valve {"state":"open"}'],
    [
      "open the main valve and shut the drain",
      'main_valve {"state":"open"} + drain_valve {"state":"closed"}',
    ],
    ['leave the message "back at 5"', 'leave_note {"text":"back at 5"}'],
    ["leave a message: do not open the valve", 'leave_note {"text":"do not open the valve"}'],
    ["do I have notes about the heron", 'find_notes {"query":"heron"}'],
    ["pressure readings of last week", 'list_readings {"from":"2026-11-09","to":"2026-11-15"}'],
    ["what do I have on Monday?", 'show_shifts {"day":"2026-11-23"}'],
    ["find notes on my phone about the heron", 'find_notes {"query":"heron"}'],
    ["show me the 3 pressure readings", 'list_readings {"limit":3}'],
  ])("understands every word of %j", (text, expected) => {
    expect(outcome(read(text))).toBe(expected)
  })

  it.each([
    ["close the valve", "Which one: main valve, drain valve?"],
    ["the main valve", "Main valve: open or closed?"],
    ["leave a message for Tom", 'Leave note with text "Tom"?'],
    ["shut the mian valve", 'Main valve with state "closed"?'],
    ["leave a message", "Leave note: which text?"],
  ])("asks where a write would rest on a guess: %j", (text, expected) => {
    expect(outcome(read(text))).toBe(expected)
  })

  it.each([
    ["don't open the main valve", "don't"],
    ["is the main valve open", "is"],
    ["open the main valve when the alarm rings", "when"],
    ["I closed the main valve", "closed"],
    ["should I open the main valve", "should"],
    ["open the main valve every day", "every day"],
    ["open the main valve in the cellar", "cellar"],
    ["delete the notes", "delete"],
    ["pressure readings without outliers", "without"],
  ])("does nothing for %j", (text, word) => {
    const found = read(text)
    expect(found.type).not.toBe("calls")
    expect(outcome(found)).toContain(word)
  })

  it("carries out the answer to its question, and reads another wish as a wish", () => {
    expect(outcome(read("the drain valve, please", "close the valve"))).toBe(
      'drain_valve {"state":"closed"}',
    )
    expect(outcome(read("closed", "the main valve"))).toBe('main_valve {"state":"closed"}')
    expect(outcome(read("yes", "shut the mian valve"))).toBe('main_valve {"state":"closed"}')
    expect(outcome(read("see you at nine", "leave a message"))).toBe(
      'leave_note {"text":"see you at nine"}',
    )
    expect(outcome(read("no", "shut the mian valve"))).toBe("open: no")
    expect(outcome(read("shut the drain", "the main valve"))).toBe('drain_valve {"state":"closed"}')
  })

  const understood = [
    "shut the main valve",
    "could you unblock the drain valve",
    "please open the main valve",
    'leave the message "back at 5"',
  ]
  const inserted = fc.constantFrom(
    "zebra",
    "wooden",
    "unless it rains",
    "don't",
    "every day",
    "yesterday",
    "never",
    "if",
    "later",
    "was",
    "should",
    "half",
    "twice",
    "except",
    "delete",
    "tomorrow",
    "maybe",
    "painted",
    "only",
  )

  it("never acts on a request with an inserted word, wherever it stands", () => {
    fc.assert(
      fc.property(fc.constantFrom(...understood), inserted, fc.nat(8), (text, word, place) => {
        expect(acts(read(text))).toBe(true)
        const words = readWords(text, english)
        const at = words[place % (words.length + 1)]?.start ?? text.length
        expect(acts(read(`${text.slice(0, at)} ${word} ${text.slice(at)}`.trim()))).toBe(false)
      }),
    )
  })

  it("acts the same with a function word more or less", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...understood),
        fc.constantFrom("please", "the", "now", "kindly"),
        fc.nat(3),
        (text, word, at) => {
          const words = text.split(" ")
          const more = [...words.slice(0, at), word, ...words.slice(at)].join(" ")
          fc.pre(!text.startsWith("could") || at === 0 || at > 2)
          expect(outcome(read(more))).toBe(outcome(read(text)))
        },
      ),
    )
  })

  it("reads any text in time and gives params only of the tool's own", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
        const found = read(text)
        if (found.type !== "calls") return
        for (const { call, params } of found.calls)
          expect(call.params.map(({ name }) => name)).toEqual(
            expect.arrayContaining(Object.keys(params)),
          )
      }),
    )
    expect(read("open ".repeat(4000)).type).toBeDefined()
  })
})
