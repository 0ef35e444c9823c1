/** Runs the hooks of one point: transforms in turn, then observers and reviewers together. */
import * as Effect from "effect/Effect"
import {
  failureClasses,
  StageFailed,
  type FailureRecord,
  type Json,
  type PointId,
  type Points,
  type RunEvent,
} from "@planloom/plugin/effect"
import type { BoundHook } from "../pipeline/HookPlan.ts"
import type { HookCall } from "./HookCall.ts"
import { Drafts } from "./Drafts.ts"
import { failureOf, malformed, stageFailed, type HookFault } from "./HookFault.ts"
import type { Draft } from "./HookSite.ts"
import { Fault, notApplied, startHook } from "./startHook.ts"
import { jsonPatchOf } from "./jsonPatchOf.ts"
import { readFinding, readPatch } from "./readPatch.ts"

/**
 * The draft with the changes of the transforms. Fails with the failure of a hook that must not fail, or with class
 * `blocked`. A hook that fails otherwise changes nothing. The first hooks run when it is called, not when its effect is.
 */
export const runHooks = <P extends PointId>(
  call: HookCall<P>,
  draft: Points[P]["draft"],
): Effect.Effect<Points[P]["draft"], StageFailed> =>
  transformed(call, 0, new Drafts(draft as unknown as Draft), call.now) as unknown as Effect.Effect<
    Points[P]["draft"],
    StageFailed
  >

const transformed = (
  call: HookCall,
  from: number,
  drafts: Drafts,
  since: number,
): Effect.Effect<Draft, StageFailed> => {
  const { transforms } = call.hooks
  const { clock } = call.site
  let began = since
  for (let index = from; index < transforms.length; index++) {
    const bound = transforms[index]!
    const given = startHook(call, bound, drafts)
    if (Effect.isEffect(given)) {
      const start = began
      return Effect.flatMap(given as HookResult, (result) => {
        const now = clock()
        return isNothing(result)
          ? transformed(call, index + 1, drafts, now)
          : applied({ call, bound, ms: now - start }, index, drafts, result)
      })
    }
    const now = clock()
    if (!isNothing(given)) return applied({ call, bound, ms: now - began }, index, drafts, given)
    began = now
  }
  return call.hooks.readers.length === 0 ? Effect.succeed(drafts.draft) : read(call, drafts, began)
}

const isNothing = (given: unknown): boolean => given === undefined || given === notApplied

/** Applies the result of the transform at `index` and runs those after it. */
const applied = (
  hook: Ended,
  index: number,
  drafts: Drafts,
  given: unknown,
): Effect.Effect<Draft, StageFailed> => {
  const next = changed(hook, drafts, given)
  return next instanceof StageFailed
    ? Effect.fail(next)
    : transformed(hook.call, index + 1, next, hook.call.site.clock())
}

/** The result of a hook that works asynchronously, or its fault. */
type HookResult = Effect.Effect<unknown>

/** A hook that has ended. */
interface Ended {
  readonly call: HookCall
  readonly bound: BoundHook
  readonly ms: number
}

/** The draft after a transform, or the failure of the call. */
const changed = (hook: Ended, drafts: Drafts, given: unknown): Drafts | StageFailed => {
  const { draft } = drafts
  if (given instanceof Fault) return failed(hook, given.fault) ?? drafts
  const patch = caught(() => readPatch(hook.call.point, draft, given))
  if (typeof patch === "string") return failed(hook, malformed(patch)) ?? drafts
  if (patch.changed.length === 0) return drafts
  emit(hook, { changed: patch.changed, patch: jsonPatchOf(draft, patch) })
  const made = Object.fromEntries(patch.changed.map((field) => [field, patch.draft[field]!]))
  return new Drafts(patch.draft, Object.freeze({ ...drafts.seen, ...made }))
}

/** Values of a plugin may have accessors that throw. */
const caught = <A>(check: () => A): A | string => {
  try {
    return check()
  } catch (error) {
    return `what it returned cannot be read: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** Observers and reviewers see the same draft. All of them end before the first failure, in order, fails the call. */
const read = (call: HookCall, drafts: Drafts, since: number): Effect.Effect<Draft, StageFailed> => {
  const { readers } = call.hooks
  const { clock } = call.site
  let began = since
  const given = readers.map((bound) => {
    const start = began
    const result = startHook(call, bound, drafts)
    began = clock()
    return Effect.isEffect(result)
      ? Effect.map(result as HookResult, (later) => ({ result: later, ms: clock() - start }))
      : { result, ms: began - start }
  })
  const outcome = (results: ReadonlyArray<Read>): Effect.Effect<Draft, StageFailed> => {
    const failures = results.flatMap(
      ({ ms, result }, index) => reported({ call, bound: readers[index]!, ms }, result) ?? [],
    )
    return failures.length === 0 ? Effect.succeed(drafts.draft) : Effect.fail(failures[0]!)
  }
  return given.some(Effect.isEffect)
    ? Effect.flatMap(
        Effect.forEach(given, (one) => (Effect.isEffect(one) ? one : Effect.succeed(one)), {
          concurrency: "unbounded",
        }),
        outcome,
      )
    : outcome(given as ReadonlyArray<Read>)
}

interface Read {
  readonly result: unknown
  readonly ms: number
}

/** Reports the result of an observer or a reviewer; the failure if the call fails with it. */
const reported = (hook: Ended, given: unknown): StageFailed | undefined => {
  const { bound } = hook
  if (given instanceof Fault) return failed(hook, given.fault)
  if (given === notApplied || bound.hook.kind === "observe") return undefined
  const finding = caught(() => readFinding(given))
  if (typeof finding === "string") return failed(hook, malformed(finding))
  if (finding.verdict === "pass") return undefined
  if (finding.verdict !== "block") {
    emit(hook, { finding })
    return undefined
  }
  const failure = failureAt(hook, { cause: "blocked", class: "blocked", message: finding.reason })
  emit(hook, { finding, failure })
  return stageFailed(failure)
}

/** Emits the failure of a hook; undefined if the call continues without it. */
const failed = (hook: Ended, fault: HookFault): StageFailed | undefined => {
  const failure = failureAt(hook, fault)
  if (hook.bound.onError === "skip") {
    emit(hook, { failure, skipped: true })
    return undefined
  }
  emit(hook, { failure })
  return stageFailed(failure)
}

/** The recorded failure: where a gate reads what models write, without a word of the hook or of an expression; a note keeps the whole. */
const failureAt = ({ bound, call: { point, site } }: Ended, fault: HookFault): FailureRecord => {
  const at = { hook: bound.hook.id, point }
  const failure = failureOf(fault, at)
  if (site.isGated !== true) return failure
  const { cause, class: kind, plain = failureClasses[kind] } = fault
  const { path, stage = "" } = site.surroundings
  site.emit({
    type: "Noted",
    path,
    stage,
    note: "unshown_failure",
    data: failure as unknown as Json,
    audience: "operator",
    text: failure.message,
  })
  return failureOf({ cause, class: kind, message: plain }, at)
}

type HookRan = Extract<RunEvent, { readonly type: "HookRan" }>

const emit = (
  { bound, call: { name, of, point, site }, ms }: Ended,
  more: Partial<Pick<HookRan, "changed" | "patch" | "finding" | "failure" | "skipped">>,
): void => {
  const { path, stage = "" } = site.surroundings
  site.emit({
    type: "HookRan",
    path,
    stage,
    hook: bound.hook.id,
    point,
    ms,
    call: name,
    ...(of === undefined ? {} : { of }),
    ...more,
  })
}
