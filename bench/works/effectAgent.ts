/**
 * The agent loop in bare Effect, no part of Planloom: a floor, and in a comparison a sign of the machine's noise. It asks
 * an async model twice, calls two async tools beside each other, and checks arguments and answer by schema, as `agent.ts`
 * does. It has no events, usage, budgets or result of a run, no id, name and identity of a call, no tools declared to the
 * model, no signal that reaches a model or tool on interruption, and no check of a reply's form, of its size or of a
 * result; a tool that fails ends the loop instead of being a failure on record.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Start } from "./Work.ts"

interface Reply {
  readonly text: string
  readonly toolCalls: ReadonlyArray<{ readonly id: string; readonly arguments: unknown }>
}

const toolCalls = [1, 2].map((value) => ({ id: `call${value}`, arguments: { value } }))

const ask = async (messages: ReadonlyArray<object>): Promise<Reply> =>
  messages.length > 1 ? { text: '{"sum":6}', toolCalls: [] } : { text: "", toolCalls }

const double = async (value: number) => value * 2

const onlyThese = { onExcessProperty: "error" } as const
const params = Schema.decodeUnknownEffect(Schema.Struct({ value: Schema.Int }), onlyThese)
const answer = Schema.decodeUnknownEffect(
  Schema.fromJsonString(Schema.Struct({ sum: Schema.Int })),
  onlyThese,
)

const loop = Effect.fnUntraced(function* () {
  const messages: Array<object> = [{ role: "user", content: "add" }]
  const asked = yield* Effect.promise(() => ask(messages))
  const results = yield* Effect.forEach(
    asked.toolCalls,
    (call) =>
      Effect.flatMap(params(call.arguments), ({ value }) => Effect.promise(() => double(value))),
    { concurrency: 2 },
  )
  messages.push(
    { role: "assistant", toolCalls: asked.toolCalls },
    ...asked.toolCalls.map(({ id }, index) => ({
      role: "tool",
      toolCallId: id,
      content: results[index],
    })),
  )
  const { sum } = yield* answer((yield* Effect.promise(() => ask(messages))).text)
  if (sum !== 6) throw new Error("wrong")
})

export const start: Start = async () => () => Effect.runPromise(loop())
