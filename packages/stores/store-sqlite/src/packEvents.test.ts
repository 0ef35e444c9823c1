import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { Json, RunEvent } from "@planloom/plugin/effect"
import { packEvents, referencesIn, unpackEvents } from "./packEvents.ts"

const event = fc.tuple(
  fc.constantFrom("StageStarted", "StageFinished", "Noted", "RunFinished"),
  fc.dictionary(
    fc.constantFrom("path", "stage", "output", "data", "@", "constructor", "0"),
    fc.option(fc.jsonValue({ noUnicodeString: false }), { nil: undefined }),
  ),
  fc.nat({ max: 2 ** 40 }),
)

const log = fc
  .tuple(fc.nat(), fc.array(event, { minLength: 1 }))
  .map(([first, all]) =>
    all.map(([type, fields, at], index) => ({ type, ...fields, seq: first + index, at })),
  )
  .map((all) => all as unknown as ReadonlyArray<RunEvent>)

const none = () => undefined
const written = (value: unknown) => JSON.parse(JSON.stringify(value)) as Json
const nothing = (): Json => assert.fail("no output is looked for")

describe("packEvents", () => {
  it("round-trips the events of one row", () => {
    fc.assert(
      fc.property(log, (events) => {
        const packed = written(packEvents(events, none))
        assert.deepStrictEqual(written(unpackEvents(packed, nothing)), written(events))
      }),
    )
  })

  it("stores a reference instead of a step's output, which reading resolves", () => {
    fc.assert(
      fc.property(log, (events) => {
        const outputs = new Map<string, Json>()
        const stepOf = (index: number) => {
          const { output } = events[index]! as { readonly output?: Json }
          if (output === undefined) return undefined
          outputs.set(`step ${index}`, output)
          return `step ${index}`
        }
        const packed = written(packEvents(events, stepOf))
        assert.deepStrictEqual(
          referencesIn(packed).filter((step) => step !== undefined),
          [...outputs.keys()],
        )
        const read = unpackEvents(packed, (step) => outputs.get(step)!)
        assert.deepStrictEqual(written(read), written(events))
      }),
    )
  })

  it("stores events with gaps unpacked, and unpackEvents reads unpacked rows", () => {
    const events = [
      { type: "RunFinished", outputs: {}, seq: 1, at: 5 },
      { type: "RunFinished", outputs: {}, seq: 3, at: 6 },
    ] as unknown as ReadonlyArray<RunEvent>
    const packed = written(packEvents(events, none))
    assert.deepStrictEqual(packed, written(events))
    assert.deepStrictEqual(unpackEvents(packed, nothing), events)
    assert.deepStrictEqual(referencesIn(packed), [])
  })
})
