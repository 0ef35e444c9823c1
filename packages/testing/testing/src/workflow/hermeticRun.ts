/** A run that leaves nothing behind and sees nothing of others: as tests and evaluations have them. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type { JsonObject, RunEvent } from "@planloom/plugin/effect"
import { MemoryConcurrencyLimiter, run } from "@planloom/core"
import type { Pipeline, RunOptions, RunResult, SentRequest } from "@planloom/core"
import { promptsOf } from "./promptsOf.ts"

export interface HermeticRun {
  /** Why nothing has run, when the inputs or the user do not fit. */
  readonly ended: RunResult | string
  readonly events: ReadonlyArray<RunEvent>
  /** By stage; undefined unless they are read. */
  readonly prompts: JsonObject | undefined
}

/**
 * On the real clock, with a workspace of its own that is gone afterwards. Never
 * fails: however the run ends is its result.
 */
export const hermeticRun = (
  pipeline: Pipeline,
  inputs: JsonObject,
  options: Pick<
    RunOptions,
    | "answer"
    | "budget"
    | "cassette"
    | "journal"
    | "onUnrecorded"
    | "secrets"
    | "session"
    | "sessions"
    | "user"
  >,
  /** The names that expressions on the run read. */
  reads: ReadonlySet<string> = new Set(),
): Effect.Effect<HermeticRun> =>
  Effect.acquireUseRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "planloom-test-"))),
    (workspace) => {
      const events: Array<RunEvent> = []
      const sent: Array<SentRequest> = []
      const isRead = reads.has("prompts")
      return run(pipeline, inputs, {
        ...options,
        ...(isRead ? { onRequest: (request) => sent.push(request) } : {}),
        run: "test",
        concurrencyLimiter: new MemoryConcurrencyLimiter(),
        workspace,
        onEvent: (event) => events.push(event),
      }).pipe(
        Effect.catchTag("RunFailed", ({ result }) => Effect.succeed(result)),
        Effect.catchTag("InputsRejected", ({ message }) => Effect.succeed(message)),
        Effect.map((ended) => ({ ended, events, prompts: isRead ? promptsOf(sent) : undefined })),
      )
    },
    (workspace) => Effect.promise(() => rm(workspace, { recursive: true, force: true })),
  )
