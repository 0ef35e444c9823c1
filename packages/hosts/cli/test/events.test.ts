/** docs/events.md describes every event of the contract. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { RunEventType } from "@planloom/plugin/effect"
import { expect, it } from "vitest"

const docs = join(import.meta.dirname, "../../../../docs")

/** Typed, so that an event added to the contract is missed here. */
const eventTypes: { readonly [type in RunEventType]: true } = {
  RunStarted: true,
  RunResumed: true,
  RunReset: true,
  RunForked: true,
  RunMigrated: true,
  SessionOpened: true,
  StageStarted: true,
  StageSkipped: true,
  StageFinished: true,
  StageFailed: true,
  AttemptFailed: true,
  Degraded: true,
  SearchDegraded: true,
  IterationStarted: true,
  IterationFinished: true,
  LoopEnded: true,
  AssertionFailed: true,
  ModelCalled: true,
  ReplyRead: true,
  Reasoned: true,
  ToolCalled: true,
  ToolProgressed: true,
  Progressed: true,
  Noted: true,
  HookRan: true,
  Reviewed: true,
  Asked: true,
  Answered: true,
  RunSuspended: true,
  PromptsPinned: true,
  ToolListFailed: true,
  OutputReady: true,
  OutputCorrected: true,
  RunFinished: true,
  RunFailed: true,
  VariantAssigned: true,
  VariantExposed: true,
  RunCancelled: true,
}

it("docs/events.md knows every event", async () => {
  const text = await readFile(join(docs, "events.md"), "utf8")
  for (const type of Object.keys(eventTypes)) expect(text).toContain(`\`${type}\``)
})
