/** Runs the hooks of one point: transforms in turn, then observers and reviewers together. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import {
  StageFailed,
  type Failure,
  type JsonObject,
  type PointId,
  type Points,
  type RunEvent,
} from "@planloom/plugin/effect"
import { formatDuration } from "@planloom/plugin/duration"
import { listed } from "../pipeline/listed.ts"
import type { BoundHook } from "../pipeline/HookPlan.ts"
import type { HookCall } from "./HookCall.ts"
import { HookContext } from "./HookContext.ts"
import {
  failureOf,
  faultIn,
  lateHook,
  malformed,
  stageFailed,
  threw,
  type HookFault,
} from "./HookFault.ts"
import type { Draft } from "./HookSite.ts"
import { withinTime } from "./withinTime.ts"
import { readFinding, readPatch } from "./readPatch.ts"

/**
 * The draft with the changes of the transforms. Fails with the failure of a hook that must not fail, or with class
 * `blocked`. A hook that fails otherwise changes nothing. The first hooks run when it is called, not when its effect is.
 */
export const runHooks = <P extends PointId>(
  call: HookCall<P>,
  draft: Points[P]["draft"],
): Effect.Effect<Points[P]["draft"], StageFailed> =>
  transformed(call, 0, Object.freeze(draft as unknown as Draft)) as unknown as Effect.Effect<
    Points[P]["draft"],
    StageFailed
  >

const transformed = (
  call: HookCall,
  from: number,
  draft: Draft,
): Effect.Effect<Draft, StageFailed> => {
  const { transforms } = call.hooks
  let current = draft
  for (let index = from; index < transforms.length; index++) {
    const bound = transforms[index]!
    const given = atOnce(started(call, bound, current))
    if (given === undefined || given === notApplied) continue
    if (Effect.isEffect(given)) {
      const before = current
      return Effect.flatMap(ended(bound, given as HookWork), (result) => {
        const next = changed(call, bound, before, result)
        return next instanceof StageFailed ? Effect.fail(next) : transformed(call, index + 1, next)
      })
    }
    const next = changed(call, bound, current, given)
    if (next instanceof StageFailed) return Effect.fail(next)
    current = next
  }
  return call.hooks.readers.length === 0 ? Effect.succeed(current) : read(call, current)
}

/** A fault apart from anything that a hook can return. */
class Fault {
  readonly fault: HookFault
  constructor(fault: HookFault) {
    this.fault = fault
  }
}

type HookWork = Effect.Effect<unknown, Failure>

/** In place of the result of a hook whose condition does not hold. */
const notApplied = Symbol("not applied")

/** What the hook returned, or its fault. */
const started = (
  call: HookCall,
  { constant, hook, validate, when, with: options }: BoundHook,
  draft: Draft,
): unknown => {
  try {
    let given = constant
    if (when !== undefined || given === undefined) {
      const scope = { ...call.site.scope, draft }
      if (when !== undefined && when.evaluate(scope) !== true) return notApplied
      if (given === undefined) {
        given = options.evaluate(scope) as JsonObject
        const issues = validate(given)
        if (issues.length > 0)
          return new Fault(malformed(`its \`with\` does not fit: ${listed(issues)}`))
      }
    }
    return hook.run(draft as never, new HookContext(call, hook.id, given))
  } catch (error) {
    return new Fault(threw(error))
  }
}

/** The value of an effect that has only a value. */
const atOnce = (given: unknown): unknown =>
  Exit.isExit(given) && Exit.isSuccess(given) ? given.value : given

/** The result of a hook that works asynchronously, within its time, or its fault. */
const ended = ({ timeout }: BoundHook, work: HookWork): Effect.Effect<unknown> => {
  return Effect.matchCauseEffect(
    withinTime(work, timeout, () => lateHook(formatDuration(timeout))),
    {
      onSuccess: (result) => Effect.succeed(result),
      onFailure: (cause) => {
        const fault = faultIn(cause)
        return fault === undefined
          ? (Effect.failCause(cause) as Effect.Effect<never>)
          : Effect.succeed(new Fault(fault))
      },
    },
  )
}

/** The draft after a transform, or the failure of the call. */
const changed = (
  call: HookCall,
  bound: BoundHook,
  draft: Draft,
  given: unknown,
): Draft | StageFailed => {
  if (given === undefined) return draft
  if (given instanceof Fault) return failed(call, bound, given.fault) ?? draft
  const patch = caught(() => readPatch(call.point, draft, given))
  if (typeof patch === "string") return failed(call, bound, malformed(patch)) ?? draft
  if (patch.changed.length === 0) return draft
  emit(call, bound, { changed: patch.changed })
  return patch.draft
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
const read = (call: HookCall, draft: Draft): Effect.Effect<Draft, StageFailed> => {
  const { readers } = call.hooks
  const given = readers.map((bound) => atOnce(started(call, bound, draft)))
  const outcome = (results: ReadonlyArray<unknown>): Effect.Effect<Draft, StageFailed> => {
    const failures = results.flatMap(
      (result, index) => reported(call, readers[index]!, result) ?? [],
    )
    return failures.length === 0 ? Effect.succeed(draft) : Effect.fail(failures[0]!)
  }
  return given.some(Effect.isEffect)
    ? Effect.flatMap(
        Effect.forEach(
          given,
          (one, index) =>
            Effect.isEffect(one) ? ended(readers[index]!, one as HookWork) : Effect.succeed(one),
          { concurrency: "unbounded" },
        ),
        outcome,
      )
    : outcome(given)
}

/** Reports the result of an observer or a reviewer; the failure if the call fails with it. */
const reported = (call: HookCall, bound: BoundHook, given: unknown): StageFailed | undefined => {
  if (given instanceof Fault) return failed(call, bound, given.fault)
  if (given === notApplied || bound.hook.kind === "observe") return undefined
  const finding = caught(() => readFinding(given))
  if (typeof finding === "string") return failed(call, bound, malformed(finding))
  if (finding.verdict === "pass") return undefined
  if (finding.verdict !== "block") {
    emit(call, bound, { finding })
    return undefined
  }
  const failure = failureOf(
    { cause: "blocked", class: "blocked", message: finding.reason },
    { hook: bound.hook.id, point: call.point },
  )
  emit(call, bound, { finding, failure })
  return stageFailed(failure)
}

/** Emits the failure of a hook; undefined if the call continues without it. */
const failed = (call: HookCall, bound: BoundHook, fault: HookFault): StageFailed | undefined => {
  const failure = failureOf(fault, { hook: bound.hook.id, point: call.point })
  if (bound.onError === "skip") {
    emit(call, bound, { failure, skipped: true })
    return undefined
  }
  emit(call, bound, { failure })
  return stageFailed(failure)
}

type HookRan = Extract<RunEvent, { readonly type: "HookRan" }>

const emit = (
  { of, point, site }: HookCall,
  { hook }: BoundHook,
  more: Partial<Pick<HookRan, "changed" | "finding" | "failure" | "skipped">>,
): void => {
  const { path, stage = "" } = site.surroundings
  site.emit({
    type: "HookRan",
    path,
    stage,
    hook: hook.id,
    point,
    ...(of === undefined ? {} : { of }),
    ...more,
  })
}
