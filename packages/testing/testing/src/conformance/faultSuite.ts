/** What a gate makes of every fault of a subagent: that of its policy, streamed and whole, and never a pass. */
import assert from "node:assert/strict"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { run, type RunOptions } from "@planloom/core"
import { load } from "@planloom/embed"
import {
  definePlugin,
  stageKind,
  type Finding,
  type JsonObject,
  type Part,
  type Plugin,
  type RunEvent,
  type Subagent,
} from "@planloom/plugin/effect"
import { scriptedProvider } from "../double/scriptedProvider.ts"
import type { SuiteRunner } from "./SuiteRunner.ts"

export interface FaultOptions {
  /** The plugin of the key `shadow`. */
  readonly shadow: Plugin
  /** Options of the subagent. */
  readonly with?: JsonObject
}

/** Faults of a review by the cause that the gate must see. */
const faults: {
  readonly [fault: string]: {
    readonly cause: string
    readonly review: () => Effect.Effect<Finding>
  }
} = {
  throw: {
    cause: "error",
    review: () => {
      throw new Error("a fault of the suite")
    },
  },
  timeout: { cause: "timeout", review: () => Effect.never },
  malformed: {
    cause: "invalid",
    review: () => Effect.succeed({ blocked: true } as unknown as Finding),
  },
  interrupt: { cause: "error", review: () => Effect.interrupt },
}

const TIMEOUT = "2s"

/** More than two blocks of a reviewer of parts. */
const REPLY = "A reply that no review has passed. ".repeat(20).trim()

const ESCALATION = "Escalated."

/** Registers the tests of one subagent: four faults, under both policies and its own, streamed and whole. */
export const faultSuite = (
  { describe, it }: SuiteRunner,
  subagent: Subagent,
  options: FaultOptions,
): void => {
  describe(`faults of subagent ${subagent.id}`, () => {
    for (const [fault, { cause, review }] of Object.entries(faults)) {
      for (const policy of ["block", "flag", undefined] as const) {
        for (const isStreamed of [true, false]) {
          const counted = policy ?? ownPolicy(subagent)
          const name = `${fault}, ${policy ?? "by its class"}, ${isStreamed ? "streamed" : "whole"}`
          it(`${name}: counts as ${counted}`, async () => {
            const { check: _, ...unchecked } = subagent
            const faulty = { ...unchecked, review }
            const seen = await Effect.runPromise(gated(faulty, { ...options, policy, isStreamed }))
            const isBlocked = counted === "block"
            assert.equal(seen.text, isBlocked ? ESCALATION : REPLY)
            const reviews = seen.events.filter(({ type }) => type === "Reviewed")
            assert.deepEqual(
              [...new Set(reviews.map((event) => causeOf(event)))],
              [`${cause} ${counted}`],
            )
            if (isBlocked) assert.ok(!seen.everything.includes(REPLY.slice(0, 20)), "text leaked")
          })
        }
      }
    }
  })
}

const ownPolicy = ({ class: protects }: Subagent) =>
  protects === "safety" || protects === "compliance" ? "block" : "flag"

const causeOf = (event: RunEvent): string =>
  event.type === "Reviewed" ? `${event.cause} ${event.verdict}` : ""

const speak = stageKind<object>({
  id: "speak",
  summary: "Replies with what its model says.",
  input: { type: "object" },
  output: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  streams: "text",
  model: (_, { model }) =>
    Effect.map(
      model.text({ messages: [{ role: "user", content: "Speak." }], parts: "reply" }),
      ({ text }) => ({ text }),
    ),
})

interface Case extends FaultOptions {
  readonly policy: "block" | "flag" | undefined
  readonly isStreamed: boolean
}

const workflow = (subagent: Subagent, { policy, with: given = {} }: Case): string => {
  const policies = policy === undefined ? undefined : { [subagent.id]: policy }
  return JSON.stringify({
    apiVersion: "planloom/v1",
    kind: "Workflow",
    name: "faults",
    texts: { escalate: { en: ESCALATION } },
    shadow: {
      gate: [{ use: subagent.id, with: given, timeout: TIMEOUT }],
      ...(policies === undefined ? {} : { on_timeout: policies, on_error: policies }),
    },
    stages: [{ id: "reply", uses: "speak", model: "scripted/any" }],
    outputs: {
      text: { type: "string", value: "${{ stages.reply.output.text }}", stream: true },
    },
  })
}

const gated = (subagent: Subagent, given: Case) =>
  Effect.scoped(
    Effect.gen(function* () {
      const folder = yield* Effect.acquireRelease(
        Effect.promise(() => mkdtemp(join(tmpdir(), "planloom-faults-"))),
        (made) => Effect.promise(() => rm(made, { recursive: true, force: true })),
      )
      const file = join(folder, "faults.yaml")
      yield* Effect.promise(() => writeFile(file, workflow(subagent, given)))
      const plugin = definePlugin({
        id: "faults",
        summary: "A stage that replies, and a subagent with a fault.",
        components: {
          stages: [speak],
          providers: [scriptedProvider([{ text: REPLY }])],
          subagents: [subagent],
        },
      })
      const { pipeline } = yield* load(file, { extraPlugins: [given.shadow, plugin] })
      const events: Array<RunEvent> = []
      const parts: Array<Part> = []
      const listening: RunOptions = {
        onEvent: (event) => void events.push(event),
        ...(given.isStreamed ? { onPart: (part: Part) => void parts.push(part) } : {}),
      }
      const result = yield* inVirtualTime(run(pipeline, {}, listening))
      return {
        text: result.outputs["text"],
        events,
        everything: JSON.stringify([events, parts, result.stages]),
      }
    }),
  ).pipe(Effect.provide(TestClock.layer()))

/** Time passes only while the run waits. */
const inVirtualTime = <A, E>(work: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(work)
    while (fiber.pollUnsafe() === undefined) {
      yield* Effect.promise(() => new Promise(setImmediate))
      yield* TestClock.adjust("1 second")
    }
    return yield* Fiber.join(fiber)
  })
