/** Examples of the keys of experiments: of a workflow and a hook set. */
import { readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { compileExpression } from "@planloom/expression"
import type { Experiment } from "@planloom/hooks/report"
import type { Json } from "@planloom/plugin/effect"
import type { KeyExample } from "./KeyExample.ts"
import { observeRuns, type World } from "./World.ts"
import { byDefault, examples, file, flow } from "./worlds.ts"

const experiment = (more: string, runs: Partial<World> = {}): World =>
  flow(
    `
user: { type: object, properties: { id: { type: string } } }
session: { request: "\${{ 'hi' }}", assistant: "\${{ stages.one.output }}" }
experiments: { tone: { variants: { plain: 50, warm: 50 }${more} } }
stages: [{ id: one, uses: work, with: { value: "\${{ experiments.tone }}" } }]
outputs: { one: { value: "\${{ stages.one.output }}" } }
`,
    { user: { id: "ada" }, ...runs },
  )

const turns = Array.from({ length: 8 }, () => ({}))

/** Every unit is assigned to one variant, and then to the other. */
const changed = (at: string): World => ({
  ...experiment(""),
  observe: async (folder) => {
    const path = join(folder, at)
    const written = readFileSync(path, "utf8")
    const shown: Array<Json> = []
    for (const percentages of ['"plain":100,"warm":0', '"plain":0,"warm":100']) {
      writeFileSync(path, written.replace('"plain":50,"warm":50', percentages))
      const world = experiment("", { user: { id: basename(folder) } })
      shown.push(...(await observeRuns(world, folder)).ends.map(({ outputs }) => outputs ?? null))
    }
    return { shown }
  },
})

const parted = experiment(", unit: run", { turns })
const every = { name: "n", from: 0, to: 100 }
const none = { name: "n", from: 99, to: 100 }
const half = { name: "n", from: 0, to: 50 }

/** Reports on the runs of the workflow. */
const reported = (at: string): World => ({
  ...experiment(""),
  observe: async (folder) => {
    const { experiments } = JSON.parse(readFileSync(join(folder, at), "utf8")) as {
      readonly experiments: { readonly tone: Experiment }
    }
    const { ends } = await observeRuns(experiment("", { turns }), folder)
    const outcome = experiments.tone.outcome && compileExpression(experiments.tone.outcome)
    return { shown: ends.map((end) => (outcome ? outcome.evaluate(end as never) : null)) }
  },
})

const report = reported("flow.yaml")

/** The experiments of the workflow in a hook set. */
const inSet = (world: World): World => {
  const { experiments, ...flowFile } = world.files["flow.yaml"] as { readonly [key: string]: Json }
  return {
    ...world,
    files: {
      "flow.yaml": { ...flowFile, use: { files: ["set.yaml"] } },
      "set.yaml": { ...file("HookSet", "name: set"), experiments: experiments! },
    },
    ...(world.observe && {
      observe: (world.observe === report.observe ? reported : changed)("set.yaml").observe!,
    }),
  }
}

const ofWorkflow: ReadonlyArray<KeyExample> = [
  ...examples({ owner: "workflow experiments", world: experiment("") }, [
    ["*.variants", "experiments.tone.variants", { plain: 100, warm: 0 }, { plain: 0, warm: 100 }],
  ]),
  ...examples({ owner: "workflow experiments", world: experiment("", { turns }) }, [
    ["*.unit", "experiments.tone.unit", "run", "session"],
    ["*.ramp", "experiments.tone.ramp", "0%", byDefault("100%")],
    ["*.force", "experiments.tone.force", { plain: ["ada"] }, { warm: ["ada"] }],
  ]),
  ...examples({ owner: "workflow experiments", world: parted }, [
    ["*.namespace", "experiments.tone.namespace", none, byDefault(every)],
    ["*.namespace.from", "experiments.tone.namespace", none, byDefault(every)],
    ["*.namespace.to", "experiments.tone.namespace", { ...every, to: 1 }, byDefault(every)],
    [
      "*.namespace.name",
      "experiments.tone.namespace",
      { ...half, name: "a" },
      { ...half, name: "b" },
    ],
  ]),
  ...examples({ owner: "workflow experiments", world: report }, [
    ["*.outcome", "experiments.tone.outcome", "outputs.one == 'plain'", "outputs.one == 'warm'"],
  ]),
  ...examples({ owner: "workflow experiments", world: experiment(", unit: run", { turns }) }, [
    ["*.salt", "experiments.tone.salt", "spring", "autumn"],
  ]),
  ...examples({ owner: "workflow experiments", world: changed("flow.yaml") }, [
    ["*.sticky", "experiments.tone.sticky", true, byDefault(false)],
  ]),
]

export const experimentExamples: ReadonlyArray<KeyExample> = [
  ...ofWorkflow,
  ...ofWorkflow.map((example) => ({
    ...example,
    key: example.key.replace("workflow experiments", "HookSet.experiments"),
    file: "set.yaml",
    world: inSet(example.world),
  })),
  ...examples({ owner: "HookSet", file: "set.yaml", world: inSet(experiment("")) }, [
    [
      "experiments",
      { tone: { variants: { plain: 100, warm: 0 } } },
      { tone: { variants: { plain: 0, warm: 100 } } },
    ],
  ]),
]
