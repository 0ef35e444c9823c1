/** Normalised events, their text, and what is said when a golden differs. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import type { RunEvent } from "@planloom/plugin/effect"
import { compareGolden } from "./compareGolden.ts"
import { eventsText } from "./eventsText.ts"
import { normaliseEvents } from "./normaliseEvents.ts"

const id = (digit: string) => `${digit.repeat(8)}-1234-4abc-9def-${digit.repeat(12)}`

const events = (at: number, run: string, made: string, folder: string): ReadonlyArray<RunEvent> => [
  { type: "RunStarted", run, workflow: "w", inputs: { file: `${folder}/a.csv` }, seq: 0, at },
  {
    type: "ToolCalled",
    path: "p",
    stage: "p",
    tool: "t",
    key: "k",
    params: {},
    summary: "s",
    ms: at % 7,
    seq: 1,
    at: at + 1,
  },
  {
    type: "StageFinished",
    path: "p",
    stage: "p",
    output: { ticket: made, again: `#${made}`, ms: 12, run, [`${folder}/x`]: 1 },
    attempts: 1,
    seq: 2,
    at: at + 2,
  },
]

describe("normalised events", () => {
  it("are the same for two runs that differ in times, ids and folders only", () => {
    const one = normaliseEvents(events(1000, id("1"), id("2"), "/tmp/one"), "/tmp/one")
    const two = normaliseEvents(events(5003, id("3"), id("4"), "/var/two"), "/var/two")
    assert.deepStrictEqual(one, two)
    assert.deepStrictEqual((one[2] as { readonly output: unknown }).output, {
      ticket: "<id:2>",
      again: "#<id:2>",
      ms: 12,
      run: "<id:1>",
      "<folder>/x": 1,
    })
  })

  it("differ where the runs do", () => {
    const one = normaliseEvents(events(1000, id("1"), id("2"), "/tmp/one"), "/tmp/one")
    const same = normaliseEvents(events(1000, id("1"), id("1"), "/tmp/one"), "/tmp/one")
    assert.notDeepEqual(one, same)
  })
})

describe("the text of events", () => {
  it("has one line for each, without its number and time", () => {
    assert.strictEqual(
      eventsText(normaliseEvents(events(1000, id("1"), id("2"), "/tmp/one"), "/tmp/one")),
      [
        'RunStarted run="<id:1>" workflow="w" inputs={"file":"<folder>/a.csv"}',
        'ToolCalled p tool="t" key="k" params={} summary="s" ms=0',
        'StageFinished p output={"ticket":"<id:2>","again":"#<id:2>","ms":12,"run":"<id:1>","<folder>/x":1} attempts=1',
        "",
      ].join("\n"),
    )
  })

  it("tells a long value by its length and digest, so that any change shows", () => {
    const told = (text: string) =>
      eventsText([{ type: "RunFinished", outputs: { text }, seq: 0, at: 0 }])
    const long = told("x".repeat(1000))
    assert.isBelow(long.length, 250)
    assert.match(long, /… \(1011 characters, sha256 [0-9a-f]{12}\)\n$/)
    assert.notStrictEqual(long, told(`${"x".repeat(999)}y`))
  })
})

describe("a golden", () => {
  it("is written on request only, and says where it differs", async () => {
    const folder = mkdtempSync(join(tmpdir(), "golden-"))
    const path = join(folder, "deep/er/a.out")
    assert.strictEqual(await compareGolden(path, "a\n", false), `there is no ${path} yet`)
    assert.isUndefined(await compareGolden(path, "a\nb\nc\n", true))
    assert.isUndefined(await compareGolden(path, "a\nb\nc\n", false))
    assert.strictEqual(
      await compareGolden(path, "a\nB\nc\n", false),
      `not what ${path} holds\nline 2:\n- b\n+ B`,
    )
    const many = Array.from({ length: 30 }, (_, index) => `line ${index}\n`).join("")
    assert.include((await compareGolden(path, many, false))!, "+ … 20 more lines")
    assert.strictEqual(readFileSync(path, "utf8"), "a\nb\nc\n")
    writeFileSync(path, "")
    assert.include((await compareGolden(path, "a", false))!, "line 1:")
    rmSync(folder, { recursive: true })
  })
})
