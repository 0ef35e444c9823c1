/** Examples of the key that only a run of a stage's own examples reads. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { load } from "@planloom/embed"
import { definePlugin } from "@planloom/plugin/effect"
import stages from "@planloom/stages"
import { exampleCases, runExample, scriptedProvider } from "@planloom/testing"
import type { KeyExample } from "./KeyExample.ts"
import { nothing, type Observation } from "./Observation.ts"
import { examples, file, flow, many } from "./worlds.ts"

/** Runs the examples of the workflow's stages, and shows what is not as expected. */
const runsExamples = (folder: string): Promise<Partial<Observation>> => {
  const plugin = definePlugin({
    id: "world",
    summary: "A model.",
    components: { providers: [scriptedProvider(many({ text: "white" }))] },
  })
  const program = Effect.gen(function* () {
    const loaded = yield* load(join(folder, "flow.yaml"), {
      extraPlugins: [stages, plugin],
      secret: () => undefined,
      flag: () => undefined,
    })
    const outcomes = yield* Effect.forEach(exampleCases(loaded.pipeline), (one) =>
      runExample(one, loaded),
    )
    return { shown: outcomes.map(({ misses }) => misses) }
  })
  return Effect.runPromise(
    Effect.scoped(program).pipe(
      Effect.catchTag("WorkflowInvalid", ({ message }) =>
        Effect.succeed({ ...nothing, refused: [message] }),
      ),
    ),
  )
}

const world = {
  ...flow(
    `
inputs: { q: { type: string } }
defaults: { model: scripted/one }
stages:
  - { id: ask, uses: generate, with: { task: Say. }, examples: { file: shown.yaml, user: "\${{ inputs.q }}" } }
`,
    {
      files: {
        "shown.yaml": file(
          "Examples",
          "examples: [{ inputs: { q: milk }, output: { text: black } }]",
        ),
      },
    },
  ),
  observe: runsExamples,
}

export const exampleRunExamples: ReadonlyArray<KeyExample> = examples(
  { owner: "Examples", file: "shown.yaml", world },
  [["examples.expect", "examples.0.expect", { text: "white" }, { text: "brown" }]],
)
