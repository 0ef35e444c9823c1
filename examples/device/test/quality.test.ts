/** How messages are read without a model: figures on utterances, and that no probe makes a tool act. */
import { assert, describe, it } from "vitest"
import type { JsonObject } from "@planloom/plugin/effect"
import type { CallReading, RequestReading } from "@planloom/planning/reading"
import { messageReader, yamlOf } from "./deviceTools.ts"

interface Utterance {
  readonly say: string
  readonly intent: string
  readonly tool?: string | ReadonlyArray<string>
  /** The second of two actions. */
  readonly then?: string
}

const read = await messageReader()

const independent = yamlOf<{
  readonly idle: ReadonlyArray<string>
  readonly wishes: ReadonlyArray<{
    readonly say: string
    readonly call: string
    readonly params?: JsonObject
  }>
}>("test/independent.yaml")

const nearOf = (reading: RequestReading): CallReading | undefined =>
  reading.type === "calls" ? reading.calls[0] : reading.near

const writes = (reading: RequestReading): ReadonlyArray<string> =>
  reading.type === "calls"
    ? reading.calls.flatMap(({ call, params }) =>
        call.writes ? [`${call.tool.name} ${JSON.stringify(params)}`] : [],
      )
    : []

/** Intents for which no tool runs. */
const idle = new Set(["user_question", "unclear"])

describe("messages to a device without a model", () => {
  it.each(["paraphrases.yaml", "fresh.yaml", "held_out.yaml"])(
    "read the intent of %s and never act otherwise than wanted",
    (file) => {
      const all = yamlOf<ReadonlyArray<Utterance>>(`test/${file}`)
      let right = 0
      for (const { intent, say, then, tool } of all) {
        const reading = read(say)
        const near = nearOf(reading)
        if (idle.has(intent) ? reading.type !== "calls" : near?.call.tool.group === intent) right++
        const wanted = [tool ?? [], then ?? []].flat()
        for (const wish of writes(reading))
          assert.isTrue(wanted.includes(wish.split(" ")[0]!), `${say}: ${wish}`)
      }
      assert.isAtLeast(right / all.length, 0.85)
    },
  )

  it.each(yamlOf<ReadonlyArray<string>>("test/probes.yaml"))("do nothing for: %s", (text) => {
    assert.deepStrictEqual(writes(read(text)), [])
  })

  it.each(independent.idle)("do nothing for a sentence of independent.yaml: %s", (text) => {
    assert.deepStrictEqual(writes(read(text)), [])
  })

  it.each(independent.wishes)("make the call of a wish: $say", ({ call, params, say }) => {
    const reading = read(say)
    const calls = reading.type === "calls" ? reading.calls : []
    assert.deepStrictEqual(
      calls.map((one) => one.call.tool.name),
      [call],
    )
    if (params !== undefined) assert.deepStrictEqual(calls[0]!.params, params)
  })

  it.each([
    ["turn off the wifi", 'toggle_wifi {"state":"off"}'],
    ["could you switch bluetooth on, please", 'toggle_bluetooth {"state":"on"}'],
    ["open the camera", 'open_app {"app":"Camera"}'],
    ["launch my preferences", 'open_app {"app":"Settings"}'],
    ['copy "see you at eight" to the clipboard', 'copy_text {"text":"see you at eight"}'],
    ["flashlight on", 'toggle_flashlight {"state":"on"}'],
  ])("do what is wanted in so many words: %s", (text, wish) => {
    assert.deepStrictEqual(writes(read(text)), [wish])
  })

  it("do the second of two actions only if each is wanted in so many words", () => {
    assert.deepStrictEqual(writes(read("turn off bluetooth and open the gallery app")), [
      'toggle_bluetooth {"state":"off"}',
      'open_app {"app":"Gallery"}',
    ])
    assert.deepStrictEqual(writes(read("turn off the wifi and turn on dark mode")), [])
  })

  it("carry out the answer to a question", () => {
    const asked = read("wifi")
    assert.isTrue(asked.type === "ask" && asked.question.text.endsWith("?"))
    assert.deepStrictEqual(writes(read("off", "wifi")), ['toggle_wifi {"state":"off"}'])
    assert.deepStrictEqual(writes(read("never mind", "wifi")), [])
  })
})
