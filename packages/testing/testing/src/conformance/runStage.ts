/** One stage kind in a workflow of its own, run by the engine. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { approveAll } from "../double/approveAll.ts"
import {
  definePlugin,
  type Components,
  type JsonObject,
  type Provider,
  type StageKind,
} from "@planloom/plugin/effect"
import { load } from "@planloom/embed"
import type { WorkflowInvalid } from "@planloom/embed"
import { run } from "@planloom/core"
import type { LoadedWorkflow, RunOptions, RunResult } from "@planloom/core"

export interface StageInWorkflow {
  readonly kind: StageKind
  readonly with: JsonObject
  /** Answers for the stage's model; without it the stage has none. */
  readonly provider?: Provider
  /** What the stage may use: tool sources, an index, kinds of its files. */
  readonly components?: Components
  /** Paths of plan templates, catalogs and other files. */
  readonly files?: ReadonlyArray<string>
}

/** The id of the only stage. */
export const STAGE = "probe"

/** Loads the workflow and hands it to `use`; both end with the scope of the call. */
export const withStage = <A, E>(
  stage: StageInWorkflow,
  use: (loaded: LoadedWorkflow, folder: string) => Effect.Effect<A, E>,
): Effect.Effect<A, E | WorkflowInvalid> =>
  Effect.scoped(
    Effect.gen(function* () {
      const folder = yield* Effect.acquireRelease(
        Effect.promise(() => mkdtemp(join(tmpdir(), "planloom-stage-"))),
        (made) => Effect.promise(() => rm(made, { recursive: true, force: true })),
      )
      const file = join(folder, "probe.yaml")
      yield* Effect.promise(() => writeFile(file, workflowText(stage)))
      const loaded = yield* load(file, {
        extraPlugins: [pluginOf(stage)],
        // The cases name files of the plugin, and those they have written for themselves.
        roots: [process.cwd(), tmpdir(), ...(stage.files ?? [])],
      })
      return yield* use(loaded, folder)
    }),
  )

/** JSON is YAML, too. */
const workflowText = ({ files, kind, provider, ...stage }: StageInWorkflow): string =>
  JSON.stringify({
    apiVersion: "planloom/v1",
    kind: "Workflow",
    name: "conformance",
    use: { files: files ?? [] },
    stages: [
      {
        id: STAGE,
        uses: kind.id,
        with: stage.with,
        ...(provider === undefined ? {} : { model: `${provider.id}/probe` }),
      },
    ],
    outputs: { output: { value: `\${{ stages.${STAGE}.output }}` } },
  })

const pluginOf = ({ components, kind, provider }: StageInWorkflow) =>
  definePlugin({
    id: "conformance",
    summary: "The stage kind under test and what it may use.",
    components: {
      ...components,
      stages: [...(components?.stages ?? []), kind],
      ...(provider === undefined ? {} : { providers: [provider] }),
    },
  })

/** Runs it once. A failure of the run is in the result; what is wrong with the workflow fails. */
export const runStage = (
  loaded: LoadedWorkflow,
  folder: string,
  options: RunOptions = {},
): Effect.Effect<RunResult> =>
  run(
    loaded.pipeline,
    {},
    {
      run: "conformance",
      workspace: join(folder, "work"),
      answer: approveAll,
      ...options,
    },
  ).pipe(
    Effect.catchTag("RunFailed", ({ result }) => Effect.succeed(result)),
    Effect.catchTag("InputsRejected", (rejected) => Effect.die(rejected)),
  )
