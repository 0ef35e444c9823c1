/** Drafts of hooks: nothing that a hook does to them reaches a run, but what it returns. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import * as Stream from "effect/Stream"
import { hook, stageKind, type Json, type Message, type Provider } from "@planloom/plugin/effect"
import { cases } from "../../../../../.config/cases.ts"
import { collect } from "../../test/collect.ts"
import { hookedWorkflow } from "../../test/hooked.ts"

const summary = "Is part of a test."

/** Changes a value at a place that the numbers select, in each way that JavaScript has. */
const disturb = (value: unknown, places: ReadonlyArray<number>): void => {
  let at = value
  for (const place of places) {
    if (typeof at !== "object" || at === null) return
    const object = at as { [key: string]: unknown }
    const keys = Object.keys(object)
    const changes = [
      () => (object["added"] = place),
      () => Array.isArray(at) && at.push(place),
      () => Array.isArray(at) && (at.length = 0),
      () => delete object[keys[place % keys.length]!],
      () => Object.defineProperty(object, "defined", { value: place }),
      () => Object.setPrototypeOf(object, { inherited: place }),
    ]
    try {
      changes[place % changes.length]!()
    } catch {
      // A frozen object throws; the next place may not.
    }
    at = object[keys[place % Math.max(keys.length, 1)]!]
  }
}

const places = fc.array(fc.nat(60), { minLength: 1, maxLength: 6 })
const kinds = ["transform", "observe", "review"] as const

describe("a hook that changes its draft in place", () => {
  it.effect("changes no output, whatever its kind and the depth of the change", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.jsonValue({ maxDepth: 4 }),
          places,
          fc.constantFrom(...kinds),
          (value, path, kind) =>
            Effect.runPromise(
              Effect.scoped(
                Effect.gen(function* () {
                  const disturbs = hook({
                    id: "disturbs",
                    summary,
                    point: "after_stage",
                    kind,
                    run: (draft: unknown) => {
                      disturb(draft, path)
                      return kind === "review"
                        ? { verdict: "pass", confidence: 1, reason: "" }
                        : undefined
                    },
                  } as never)
                  const { pipeline } = yield* hookedWorkflow(
                    `inputs: { value: {} }
hooks: [{ use: disturbs }]
stages: [{ id: one, uses: echo, with: { value: "\${{ inputs.value }}" } }]
outputs: { said: "\${{ stages.one.output }}" }
`,
                    [disturbs],
                  )
                  const given = JSON.parse(JSON.stringify(value)) as Json
                  const { result } = yield* collect(pipeline, { value: given })
                  assert.deepStrictEqual(result.outputs["said"], JSON.parse(JSON.stringify(value)))
                }),
              ),
            ),
        ),
        { numRuns: cases(60) },
      ),
    ),
  )

  it.effect("changes no message of a request, also after the call", () =>
    Effect.gen(function* () {
      const sent: Array<ReadonlyArray<Message>> = []
      const provider: Provider = {
        id: "vendor",
        summary,
        stream: ({ messages }) => {
          sent.push(JSON.parse(JSON.stringify(messages)) as ReadonlyArray<Message>)
          return Stream.make(
            { type: "text", text: "Hello" },
            { type: "finish", reason: "stop", usage: { input: 1, output: 1 } },
          )
        },
      }
      const reply = stageKind<object>({
        id: "reply",
        summary,
        input: { type: "object" },
        output: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
        model: (_, { model }) =>
          Effect.map(model.text({ messages: [{ role: "user", content: "?" }] }), ({ text }) => ({
            text,
          })),
      })
      const kept: Array<Array<Message>> = []
      const observes = hook({
        id: "observes",
        summary,
        point: "before_model",
        kind: "observe",
        run: ({ messages }: { messages: Array<Message> }) => {
          messages.length = 0
          messages.push({ role: "user", content: "Something else" })
        },
      } as never)
      const returns = hook({
        id: "returns",
        summary,
        point: "before_model",
        kind: "transform",
        run: () => {
          const messages: Array<Message> = [{ role: "user", content: "Returned" }]
          kept.push(messages)
          return { messages }
        },
      } as never)
      const keeps = hook({
        id: "keeps",
        summary,
        point: "before_model",
        kind: "observe",
        run: () => {
          for (const messages of kept) messages[0] = { role: "user", content: "Kept" }
        },
      } as never)
      const { pipeline } = yield* hookedWorkflow(
        `models: { fast: { try: [vendor/any] } }
hooks: [{ use: returns }, { use: observes }, { use: keeps }]
stages: [{ id: one, uses: reply, model: fast }]
`,
        [observes, returns, keeps],
        { stages: [reply], providers: [provider] },
      )
      const { events } = yield* collect(pipeline)
      assert.deepStrictEqual(sent, [[{ role: "user", content: "Returned" }]])
      const failed = events.flatMap((event) =>
        event.type === "HookRan" && event.failure !== undefined ? [event.hook] : [],
      )
      assert.deepStrictEqual(failed, ["observes"])
    }),
  )
})
