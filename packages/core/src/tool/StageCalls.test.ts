/** Which calls of a stage may answer a call of an attempt. */
import { expect, it } from "vitest"
import type { Tool } from "@planloom/plugin/effect"
import type { CallIdentity } from "./callIdentity.ts"
import { MadeCalls, type MadeCall } from "./MadeCalls.ts"
import { StageCalls, type CallsOfStage } from "./StageCalls.ts"

const identity: CallIdentity = { key: "k", recorded: "k", isAmbiguous: false }
const write: Tool = {
  name: "t",
  summary: "t",
  capabilities: [],
  inputs: {},
  outputs: [],
  params: true,
  effect: "write",
}

const attemptAt = (stage: CallsOfStage) =>
  new StageCalls({
    run: new MadeCalls(),
    stage,
    path: "stage",
    attemptPath: "stage",
    tools: () => new Map(),
    previous: undefined,
    hiding: { personal: undefined, secrets: undefined },
    workflow: 0,
    keepsResults: false,
  })

const callOf = (attempt: StageCalls): MadeCall => ({
  key: "k",
  source: "s",
  writes: true,
  name: "stage/tool:1",
  path: "stage",
  attempt,
  began: 1,
  isSteady: true,
  failure: undefined,
  result: 1,
})

it("the calls of an attempt itself are not searched, however many there are", () => {
  const stage: CallsOfStage = new Map()
  const attempt = attemptAt(stage)
  attempt.add(callOf(attempt), write)
  attempt.add(callOf(attempt), write)
  const own = stage.get("k")!.get(attempt)!
  expect(own).toHaveLength(2)
  Object.defineProperty(own, 0, {
    get: () => {
      throw new Error("searched")
    },
  })
  expect(attempt.isFirst(identity)).toBe(true)
  expect(attempt.answerTo(identity, { tool: write } as never, undefined)).toBeUndefined()
})

it("a write of an earlier attempt answers one call of a later attempt", () => {
  const stage: CallsOfStage = new Map()
  const [first, second] = [attemptAt(stage), attemptAt(stage)]
  const made = callOf(first)
  first.add(made, write)
  expect(second.isFirst(identity)).toBe(false)
  expect(second.isFirst({ ...identity, key: "other" })).toBe(true)
  const answer = () => second.answerTo(identity, { tool: write } as never, undefined)
  expect(answer()).toBe(made)
  expect(answer()).toBeUndefined()
})
