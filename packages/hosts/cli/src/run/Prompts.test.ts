import type { Json, RunEvent } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { Prompts } from "./Prompts.ts"

const wait = { name: "sign", kind: "signal", path: "sign", message: "Sign?", schema: true } as const
const answered = (value: Json, by: string): RunEvent => ({
  type: "Answered",
  seq: 1,
  at: 1,
  path: "sign",
  stage: "sign",
  name: "sign",
  kind: "signal",
  value,
  by,
})

/** What is printed when `recorded` counts and `typed` was typed. */
const report = async (typed: Json | undefined, recorded: RunEvent) => {
  const prompts = new Prompts(() => typed)
  await Effect.runPromise(prompts.answer(wait))
  return [prompts.overruled(recorded), prompts.overruled(recorded)]
}

it.each([
  ["answered here", "yes", answered("yes", "person"), undefined],
  ["answered elsewhere", undefined, answered("no", "bob"), 'answered elsewhere by bob: "no"'],
  [
    "answered elsewhere before the typed answer",
    "yes",
    answered("no", "person"),
    'your answer came too late; answered elsewhere by person: "no"',
  ],
  ["expired", undefined, answered(null, "expired"), "the question has expired"],
  [
    "expired with a default",
    undefined,
    answered("later", "default"),
    'the question has expired; its default counts: "later"',
  ],
] as const)("a question that is %s is reported once", async (_, typed, recorded, text) => {
  expect(await report(typed, recorded)).toEqual([text, undefined])
})

it("a question that was not asked here is not reported", () => {
  expect(new Prompts(() => undefined).overruled(answered("no", "bob"))).toBeUndefined()
})
