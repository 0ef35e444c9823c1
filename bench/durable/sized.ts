/** Recorded runs of many steps with large outputs: what a step costs, and how soon a run goes on. */
import { join } from "node:path"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { definePlugin, stageKind, type RunStore } from "@planloom/plugin/effect"
import { load } from "@planloom/embed"
import { run } from "@planloom/core"
import { resume } from "@planloom/record"

const object = { type: "object", additionalProperties: true }

/** `at` is the number of the step that never ends, as long as there is one. */
const world = (text: string) => {
  const halt = { at: -1, reached: Deferred.makeUnsafe<void>() }
  const plugin = definePlugin({
    id: "sized",
    summary: "No-op work with an output of some size.",
    components: {
      stages: [
        stageKind<{ readonly value: number }>({
          id: "increment",
          summary: "Adds one.",
          input: object,
          output: object,
          run: ({ value }) =>
            Effect.suspend(() => {
              if (value !== halt.at) return Effect.succeed({ value: value + 1, text })
              Deferred.doneUnsafe(halt.reached, Effect.void)
              return Effect.never
            }),
        }),
      ],
    },
  })
  return { halt, plugin }
}

const workflow = (steps: number) => {
  const value = (index: number) => (index < 0 ? "0" : `stages.s${index}.output.value`)
  const stages = Array.from(
    { length: steps },
    (_, index) =>
      `  - { id: s${index}, uses: increment, with: { value: "\${{ ${value(index - 1)} }}" } }`,
  )
  return `apiVersion: planloom/v1
kind: Workflow
name: sized
stages:
${stages.join("\n")}
outputs: { n: { type: integer, value: "\${{ ${value(steps - 1)} }}" } }
`
}

export const sized = Effect.fnUntraced(function* (folder: string, steps: number, text: string) {
  const { halt, plugin } = world(text)
  const path = join(folder, `${steps}.yaml`)
  const texts = new Map([[path, workflow(steps)]])
  const { pipeline } = yield* load(path, { extraPlugins: [plugin], texts })
  return { halt, pipeline }
})

/** Milliseconds per step of a run of so many steps, `outputs` characters each. */
export const stepMs = (folder: string, store: RunStore, steps: number, characters: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { pipeline } = yield* sized(folder, steps, "x".repeat(characters))
      const began = performance.now()
      const { outputs } = yield* run(pipeline, {}, { store })
      if (outputs["n"] !== steps) throw new Error("wrong")
      return (performance.now() - began) / steps
    }),
  )

/** Milliseconds to the end of a run whose last step is all that is left. */
export const resumeMs = (folder: string, store: RunStore, steps: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { halt, pipeline } = yield* sized(folder, steps, "")
      halt.at = steps - 1
      const id = crypto.randomUUID()
      const fiber = yield* Effect.forkChild(run(pipeline, {}, { store, run: id }))
      yield* Deferred.await(halt.reached)
      yield* Fiber.interrupt(fiber)
      halt.at = -1
      const began = performance.now()
      const { outputs } = yield* resume(pipeline, id, { store })
      if (outputs["n"] !== steps) throw new Error("wrong")
      return performance.now() - began
    }),
  )
