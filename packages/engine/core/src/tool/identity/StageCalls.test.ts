/** Which calls of a stage may answer a call of an attempt. */
import { expect, it } from "vitest"
import type { Tool } from "@planloom/plugin/effect"
import { CallIdentity } from "./CallIdentity.ts"
import { CallsOfStage } from "./CallsOfStage.ts"
import { MadeCalls, type MadeCall } from "./MadeCalls.ts"
import { StageCalls } from "./StageCalls.ts"

const hiding = { personal: undefined, secrets: undefined }

const write: Tool = {
  name: "t",
  summary: "t",
  capabilities: [],
  inputs: {},
  outputs: [],
  params: true,
  effect: "write",
}

const identityOf = (of: string) =>
  new CallIdentity(
    { tool: "t", params: { of }, inputs: {}, language: undefined },
    { tool: write, source: undefined, timeout: undefined },
    0,
    hiding,
  )

const identity = identityOf("k")

const attemptAt = (stage: CallsOfStage) =>
  new StageCalls({
    run: new MadeCalls(),
    stage,
    path: "stage",
    attemptPath: "stage",
    tools: () => new Map(),
    previous: undefined,
    hiding,
    workflow: 0,
    keepsResults: false,
  })

const callOf = (attempt: StageCalls): MadeCall => ({
  identity,
  source: "s",
  writes: true,
  name: undefined,
  path: "stage",
  attempt,
  began: 1,
  isSteady: true,
  failure: undefined,
  result: 1,
})

it("the calls of an attempt itself are not searched, however many there are", () => {
  const attempt = attemptAt(new CallsOfStage())
  let reads = 0
  const call = Object.defineProperty({ ...callOf(attempt) }, "identity", {
    get: () => {
      reads++
      return identity
    },
  })
  attempt.add(call, write)
  attempt.add(callOf(attempt), write)
  expect(attempt.isFirst(identity)).toBe(true)
  expect(reads).toBe(0)
  const answer = () => attempt.answerTo(identity, { tool: write } as never, undefined)
  expect([answer(), answer(), answer()]).toEqual([undefined, undefined, undefined])
  expect(reads).toBe(1)
})

it("a write of an earlier attempt answers one call of a later attempt", () => {
  const stage = new CallsOfStage()
  const [first, second] = [attemptAt(stage), attemptAt(stage)]
  const made = callOf(first)
  first.add(made, write)
  expect(second.isFirst(identity)).toBe(false)
  expect(second.isFirst(identityOf("other"))).toBe(true)
  const answer = () => second.answerTo(identity, { tool: write } as never, undefined)
  expect(answer()).toBe(made)
  expect(answer()).toBeUndefined()
})
