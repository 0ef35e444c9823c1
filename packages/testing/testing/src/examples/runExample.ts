/** Runs a workflow on the examples of its stages, and compares the results with what the examples expect. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { run, type Cassette, type LoadedWorkflow, type Pipeline } from "@planloom/core"
import type { Block, KindWork } from "@planloom/core/internal"
import type { JsonObject, RunEvent } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import { judgementsOf, type Judgement } from "../metrics/judgements.ts"
import { pastOf } from "../workflow/pastOf.ts"
import { exampleMisses } from "./exampleMisses.ts"
import { withoutExample } from "./withoutExample.ts"

export interface ExampleCase {
  readonly stage: string
  /** Counts from 1. */
  readonly number: number
  readonly user: string
  readonly example: NonNullable<KindWork["examples"]>["examples"][number]
}

export interface ExampleOutcome {
  /** Empty if the result is as expected. */
  readonly misses: ReadonlyArray<string>
  readonly judgements: ReadonlyArray<Judgement>
  /** Why the stage ran without its model; undefined if it did not. */
  readonly degraded: string | undefined
}

/** The examples of all stages in the order of the file, including stages inside blocks. */
export const exampleCases = (pipeline: Pipeline): ReadonlyArray<ExampleCase> => [
  ...casesIn(pipeline.main),
  ...casesIn(pipeline.finally),
]

const casesIn = (block: Block): ReadonlyArray<ExampleCase> =>
  block.nodes.flatMap(({ id, work }) => {
    if (work.type === "block") return casesIn(work.block)
    const turns = work.examples?.turns() ?? []
    return turns.map(({ user }, index) => ({
      stage: id,
      number: index + 1,
      user,
      example: work.examples!.examples[index]!,
    }))
  })

/**
 * Runs one example in a temporary workspace, without approvals. The stage's prompt contains only the other examples;
 * with its own, the model could copy the answer.
 */
export const runExample = (
  { example, number, stage }: ExampleCase,
  { pipeline, secrets }: LoadedWorkflow,
  {
    cassette,
    user,
  }: {
    readonly cassette?: Cassette | undefined
    /** The user of the run, for a workflow that declares one. */
    readonly user?: JsonObject | undefined
  } = {},
): Effect.Effect<ExampleOutcome> =>
  Effect.gen(function* () {
    const events: Array<RunEvent> = []
    const ended = yield* Effect.acquireUseRelease(
      Effect.promise(() => mkdtemp(join(tmpdir(), "planloom-examples-"))),
      (workspace) =>
        run(withoutExample(pipeline, stage, number - 1), example.inputs, {
          ...pastOf(example.session, pipeline),
          workspace,
          user,
          secrets,
          onEvent: (event) => events.push(event),
          ...(cassette === undefined ? {} : { cassette }),
        }).pipe(
          Effect.catchTag("RunFailed", ({ result }) => Effect.succeed(result)),
          Effect.catchTag("InputsRejected", ({ message }) => Effect.succeed(message)),
        ),
      (workspace) => Effect.promise(() => rm(workspace, { recursive: true, force: true })),
    )
    const judgements = judgementsOf(
      events.filter((event) => "stage" in event && event.stage === stage),
    )
    if (typeof ended === "string") return { misses: [ended], judgements, degraded: undefined }
    // A mismatch with the recording is not a result of the stage.
    const said =
      ended.failure?.class === "store"
        ? undefined
        : Object.entries(ended.stages).findLast(
            ([, one]) => one.stage === stage && one.outcome === "success",
          )
    return {
      misses: exampleMisses(example, {
        output: said?.[1].output,
        judgement: judgements.at(-1),
        failure: ended.failure,
        asked: ended.status === "clarification" || ended.status === "suspended",
      }),
      judgements,
      degraded: ended.degraded.find(({ after, path }) => path === said?.[0] && after === undefined)
        ?.reason,
    }
  })
