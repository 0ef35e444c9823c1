/** Examples of the keys under `on`: what starts runs of a workflow that is served. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { load } from "@planloom/embed"
import { definePlugin } from "@planloom/plugin/effect"
import { during, HOOK_KEY, send, serve } from "../servedTriggers.ts"
import type { KeyExample } from "./KeyExample.ts"
import { nothing, type Observation } from "./Observation.ts"
import { work } from "./work.ts"
import { byDefault, examples, flow } from "./worlds.ts"

const plugin = definePlugin({
  id: "world",
  summary: "A stage kind.",
  components: { stages: [work()] },
})

const keys: { readonly [secret: string]: string } = {
  HOOK_KEY,
  OTHER_KEY: "another key of 24 bytes or more",
}

/** Serves for two hours, is down for three, serves for one, and gets a signed message. */
const served = async (folder: string): Promise<Partial<Observation>> => {
  const program = Effect.gen(function* () {
    const { pipeline } = yield* load(join(folder, "flow.yaml"), { extraPlugins: [plugin] })
    const secrets = (pipeline.triggers?.webhook?.secrets ?? []).map((name) => keys[name]!)
    const serving = yield* serve(pipeline, join(folder, "runs.db"), secrets)
    yield* during(serving, "2 hours")
    yield* TestClock.adjust("3 hours")
    yield* during(serving, "1 hour")
    const reply = yield* send(serving, { body: '{"order":7}' })
    const runs = yield* serving.store.list()
    return { runs: runs.map(({ inputs, run }) => ({ run, inputs })), reply: { ...reply } }
  })
  const seen = await Effect.runPromise(
    Effect.scoped(program).pipe(
      Effect.catchTag("WorkflowInvalid", ({ message }) => Effect.succeed(message)),
      Effect.provide(TestClock.layer()),
    ),
  )
  return typeof seen === "string" ? { ...nothing, refused: [seen] } : { shown: [seen] }
}

const world = (on: string) => ({
  ...flow(`secrets: [HOOK_KEY, OTHER_KEY]
inputs: { order: { type: integer, default: 1 }, time: { type: string, default: "" } }
${on}
stages: [{ id: one, uses: work, with: { value: "\${{ inputs }}" } }]`),
  observe: served,
})

const hourly = { cron: "0 * * * *" }
const hook = { secret: "HOOK_KEY" }

export const triggerExamples: ReadonlyArray<KeyExample> = [
  ...examples({ owner: "Workflow", world: world("") }, [
    ["on", { schedule: [hourly] }, { webhook: hook }],
    ["on.schedule", [hourly], [{ cron: "30 * * * *" }]],
    ["on.webhook", hook, { secret: "OTHER_KEY" }],
  ]),
  ...examples(
    {
      owner: "Workflow",
      world: world('on: { schedule: [{ cron: "0 2 * * *" }] }'),
      at: "on.schedule.0",
    },
    [
      ["on.schedule.cron", "on.schedule.0.cron", "0 1 * * *", "30 * * * *"],
      ["on.schedule.zone", "on.schedule.0.zone", "Europe/Berlin", byDefault("UTC")],
    ],
  ),
  ...examples({ owner: "Workflow", world: world('on: { schedule: [{ cron: "0 * * * *" }] }') }, [
    ["on.schedule.missed", "on.schedule.0.missed", "all", byDefault("once")],
    ["on.schedule.inputs", "on.schedule.0.inputs", { order: 2 }, { time: "${{ schedule.at }}" }],
  ]),
  ...examples({ owner: "Workflow", world: world("on: { webhook: { secret: HOOK_KEY } }") }, [
    ["on.webhook.secret", ["OTHER_KEY", "HOOK_KEY"], "OTHER_KEY"],
    [
      "on.webhook.body",
      { type: "object", required: ["number"] },
      { type: "object", properties: { order: { maximum: 5, type: "integer" } } },
    ],
    ["on.webhook.inputs", { order: "${{ int(body.order * 2) }}" }, { order: 3 }],
  ]),
]
