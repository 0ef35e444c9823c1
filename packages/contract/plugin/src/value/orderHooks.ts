/** Orders the hooks of a point: by phase, then `before` and `after`, then priority, then id. */
import { hookPhases, type AnyHook } from "../component/Hook.ts"

export * from "./hooksInUse.ts"

/** Priority of a hook without one. */
const PRIORITY = 100

export interface HookOrder<Use> {
  readonly order: ReadonlyArray<Use>
  /** Hooks that wait for each other, each for the next one; they keep the order they have without constraints. */
  readonly cycle: ReadonlyArray<Use> | undefined
}

/** Constraints that name a hook which is not in use have no effect. */
export const orderHooks = <Use extends { readonly hook: AnyHook }>(
  uses: ReadonlyArray<Use>,
): HookOrder<Use> => {
  const waiting = uses.toSorted(
    ({ hook: one }, { hook: other }) =>
      phaseOf(one) - phaseOf(other) ||
      priorityOf(one) - priorityOf(other) ||
      (one.id < other.id ? -1 : one.id > other.id ? 1 : 0),
  )
  const order: Array<Use> = []
  while (waiting.length > 0) {
    const next = waiting.findIndex((one) => blockerOf(one, waiting) === undefined)
    if (next < 0) return { order: [...order, ...waiting], cycle: cycleIn(waiting) }
    order.push(...waiting.splice(next, 1))
  }
  return { order, cycle: undefined }
}

/** What decides the order of a hook, with what it leaves out. */
export const hookOrderOf = ({
  after = [],
  before = [],
  phase = "normal",
  priority = PRIORITY,
}: AnyHook) => ({
  phase,
  before,
  after,
  priority,
})

const phaseOf = ({ phase = "normal" }: AnyHook): number => hookPhases.indexOf(phase)

const priorityOf = ({ priority = PRIORITY }: AnyHook): number => priority

/** A hook that has to run before this one and has not been placed. */
const blockerOf = <Use extends { readonly hook: AnyHook }>(
  { hook }: Use,
  waiting: ReadonlyArray<Use>,
): Use | undefined =>
  waiting.find(
    ({ hook: other }) =>
      other.id !== hook.id &&
      (phaseOf(other) < phaseOf(hook) ||
        hook.after?.includes(other.id) === true ||
        other.before?.includes(hook.id) === true),
  )

/** Each hook of `waiting` has a blocker, so following blockers returns to a hook. */
const cycleIn = <Use extends { readonly hook: AnyHook }>(
  waiting: ReadonlyArray<Use>,
): ReadonlyArray<Use> => {
  const seen: Array<Use> = []
  let one = waiting[0]!
  while (!seen.includes(one)) {
    seen.push(one)
    one = blockerOf(one, waiting)!
  }
  return seen.slice(seen.indexOf(one))
}
