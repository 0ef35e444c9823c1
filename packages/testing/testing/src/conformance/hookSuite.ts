/** What every hook promises. */
import assert from "node:assert/strict"
import * as Effect from "effect/Effect"
import {
  hookPoints,
  type AnyHook,
  type CallContext,
  type Finding,
  type JsonObject,
  type PointId,
  type Points,
} from "@planloom/plugin/effect"
import {
  deepFrozen,
  expectFits,
  expectId,
  expectPlainData,
  expectSchema,
  expectSummary,
} from "./expectations.ts"
import { expectFinding } from "./findings.ts"
import { callContext } from "./callContext.ts"
import type { SuiteRunner } from "./SuiteRunner.ts"

export interface HookCase<P extends PointId = PointId> {
  readonly name: string
  /** The point of the case; the hook's own unless given. */
  readonly point?: P
  readonly draft: Points[P]["draft"]
  /** Its options. */
  readonly with?: JsonObject
  /** What it may read besides: the user, the calls so far, collections. */
  readonly context?: Partial<Omit<CallContext, "with">>
  /** Of a transform: the fields that it changes. Of a review: its finding. */
  readonly check?: (result: Points[P]["patch"] | Finding | undefined) => void
}

/** Registers the tests of one hook. */
export const hookSuite = <P extends PointId>(
  { describe, it }: SuiteRunner,
  hook: AnyHook,
  cases: ReadonlyArray<HookCase<P>>,
): void => {
  const { also = {}, id, input = true, kind, summary } = hook
  const pointOf = (name: PointId) => hookPoints.find((one) => one.id === name)
  describe(`hook ${id}`, () => {
    it("has an id, a summary, a hook point, and a usable schema of its options", async () => {
      expectId(id)
      expectSummary(summary, `hook ${id}`)
      expectSchema(input, "its input")
      for (const at of [hook.point, ...(Object.keys(also) as ReadonlyArray<PointId>)]) {
        const point = pointOf(at)
        assert.ok(point, `there is no hook point ${at}`)
        assert.ok(kind !== "transform" || point.owns.length > 0, `${at} takes no transform`)
      }
    })

    for (const one of cases) {
      it(one.name, async () => {
        expectFits(one.with ?? {}, input, "the options of the case")
        const point = pointOf(one.point ?? hook.point)
        const result = await called(hook, one)
        if (kind === "observe") assert.equal(result, undefined, "an observer returned something")
        else if (kind === "review")
          expectFinding(result as Finding, textOf(one.draft), "its finding")
        else if (result !== undefined) {
          assert.ok(typeof result === "object" && result !== null, "a transform returned no fields")
          expectPlainData(result, "its patch")
          for (const field of Object.keys(result)) {
            assert.ok(point?.owns.includes(field), `a transform at ${point?.id} returned ${field}`)
          }
          expectFits(
            { ...(one.draft as object), ...result } as JsonObject,
            point!.draft,
            "the draft",
          )
        }
        one.check?.(result as never)
        assert.deepStrictEqual(await called(hook, one), result, "it returned something else")
      })
    }
  })
}

/** The text that spans of a finding are about. */
const textOf = (draft: object): string => ("text" in draft ? String(draft.text) : "")

/** Calls the hook with a draft and options that cannot be written to. */
const called = <P extends PointId>(hook: AnyHook, one: HookCase<P>): Promise<unknown> => {
  const context = callContext({
    ...one.context,
    with: deepFrozen(structuredClone(one.with ?? {})),
  })
  const run =
    one.point === undefined || one.point === hook.point ? hook.run : hook.also![one.point]!
  const result: unknown = (run as AnyHook["run"])(
    deepFrozen(structuredClone(one.draft)) as never,
    context,
  )
  return Effect.isEffect(result)
    ? Effect.runPromise(result as Effect.Effect<unknown>)
    : Promise.resolve(result)
}
