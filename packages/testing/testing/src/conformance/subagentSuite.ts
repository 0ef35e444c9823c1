/** What every subagent promises, shown on runs of the engine. */
import assert from "node:assert/strict"
import * as Effect from "effect/Effect"
import {
  stageKind,
  type FileKind,
  type Finding,
  type JsonObject,
  type ReviewDraft,
  type Subagent,
  type Verdict,
} from "@planloom/plugin/effect"
import { scriptedProvider } from "../double/scriptedProvider.ts"
import type { ScriptedReply } from "../file/WorkflowTest.ts"
import { expectAsked } from "./declaredAsks.ts"
import { expectFits, expectId, expectSchema, expectSummary } from "./expectations.ts"
import { expectFinding } from "./findings.ts"
import { expectInterruptible } from "./interrupted.ts"
import { runStage, STAGE, withStage } from "./runStage.ts"
import type { SuiteRunner } from "./SuiteRunner.ts"

export interface SubagentCase {
  readonly name: string
  readonly draft: ReviewDraft
  readonly with?: JsonObject
  /** Paths of files of its plugin's kinds. */
  readonly files?: ReadonlyArray<string>
  /** Replies of its model, in order; without, it has no model. */
  readonly replies?: ReadonlyArray<ScriptedReply>
  readonly verdict: Verdict
}

/** Registers the tests of one subagent. */
export const subagentSuite = (
  { describe, it }: SuiteRunner,
  subagent: Subagent,
  cases: ReadonlyArray<SubagentCase>,
  /** Kinds of the files of the cases. */
  fileKinds: ReadonlyArray<FileKind> = [],
): void => {
  const { can, id, input = true, spans, summary } = subagent
  describe(`subagent ${id}`, () => {
    it("has an id, a summary, its verdicts, and a usable schema of its options", async () => {
      expectId(id)
      expectSummary(summary, `subagent ${id}`)
      expectSchema(input, "its input")
      assert.ok(can.length > 0, "it declares no verdict")
    })

    for (const one of cases) {
      const options = one.with ?? {}
      it(one.name, async () => {
        expectFits(options, input, "the options of the case")
        const finding = await reviewed(subagent, one, fileKinds)
        expectFinding(finding, one.draft.text, "its finding")
        assert.equal(finding.verdict, one.verdict, finding.reason)
        assert.ok(spans === true || finding.spans === undefined, "it has spans and declares none")
        assert.deepStrictEqual(
          await reviewed(subagent, one, fileKinds),
          finding,
          "it found something else",
        )
      })
      if (one.replies !== undefined) {
        it(`${one.name}: stops at once when interrupted`, () =>
          interrupted(subagent, one, fileKinds))
      }
    }
  })
}

/** Its reviewer's words are known to this suite only: no record and no stage has them. */
const withFindings = (
  subagent: Subagent,
): { readonly subagent: Subagent; readonly findings: ReadonlyArray<Finding> } => {
  const findings: Array<Finding> = []
  const review: Subagent["review"] = (draft, context) =>
    Effect.tap(subagent.review(draft, context), (finding) =>
      Effect.sync(() => findings.push(finding)),
    )
  return { subagent: { ...subagent, review }, findings }
}

/** A stage that has the draft reviewed. */
const inStage = (
  subagent: Subagent,
  { draft, files = [], with: options = {} }: SubagentCase,
  fileKinds: ReadonlyArray<FileKind>,
) => ({
  kind: stageKind({
    id: "review",
    summary: "Has the draft of a case reviewed.",
    input: { type: "object", additionalProperties: false },
    output: true,
    run: (_, { review }) =>
      Effect.map(review([{ use: subagent.id, with: options }], draft), () => null as never),
  }),
  with: {},
  files,
  components: { subagents: [subagent], fileKinds },
})

const reviewed = async (
  subagent: Subagent,
  one: SubagentCase,
  fileKinds: ReadonlyArray<FileKind>,
): Promise<Finding> => {
  const provider = one.replies && scriptedProvider(one.replies)
  const { findings, subagent: followed } = withFindings(subagent)
  const stage = {
    ...inStage(followed, one, fileKinds),
    ...(provider === undefined ? {} : { provider }),
  }
  const result = await Effect.runPromise(withStage(stage, runStage))
  const { failure } = result.stages[STAGE]!
  assert.equal(failure, undefined, failure?.message)
  provider?.assertExhausted()
  expectAsked(subagent.asks?.(one.with ?? {}), provider?.requests.length ?? 0)
  return findings[0]!
}

const interrupted = async (
  subagent: Subagent,
  one: SubagentCase,
  fileKinds: ReadonlyArray<FileKind>,
): Promise<void> => {
  const { promise: started, resolve } = Promise.withResolvers<void>()
  const provider = {
    ...scriptedProvider([]),
    generate: () => Effect.andThen(Effect.sync(resolve), Effect.never),
  }
  const work = withStage({ ...inStage(subagent, one, fileKinds), provider }, runStage)
  await expectInterruptible(work, started, `subagent ${subagent.id}`)
}
