/** What a user reads of `act` when a tool does not take the arguments of a plan. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { failuresOf } from "./pastWorld.ts"

const flow = (args: string) => `models: { m: { try: [scripted/one], otherwise: mechanical } }
stages:
  - id: act
    uses: act
    model: m
    with: { plan: { intent: a, chat_response: b, candidate_tools: [safety], arguments: ${args}, reasoning_summary: c, confidence: 1 } }
outputs: { text: { type: string, value: "\${{ stages.act.output.text }}" } }
`

it.effect("arguments that are missing or do not fit are named in words for the user", () =>
  Effect.gen(function* () {
    const test = (args: string, text: string) =>
      failuresOf(
        `\n  - { name: one, expect: { assert: ['outputs.text.startsWith("${text}")', 'calls.all(c, c.refused)'] } }\n`,
        flow(args),
      )
    assert.deepStrictEqual(yield* test("{}", "This is missing: address. Nothing was done."), [])
    const invalid = "That is not possible with this value: address {"
    assert.deepStrictEqual(yield* test("{ address: { a: 1 } }", invalid), [])
  }),
)
