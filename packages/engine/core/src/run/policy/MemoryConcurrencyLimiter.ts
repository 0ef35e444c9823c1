/** Limits how many runs or stages of one concurrency group execute at once in this process. */
import * as Effect from "effect/Effect"
import {
  StageFailed,
  type ConcurrencyGroup,
  type ConcurrencyLimiter,
} from "@planloom/plugin/effect"

interface Holder {
  cancel: (() => void) | undefined
}

interface Group {
  readonly holders: Set<Holder>
  readonly waiting: Array<() => void>
}

/** Runs that share an instance share its groups. */
export class MemoryConcurrencyLimiter implements ConcurrencyLimiter {
  private readonly groups = new Map<string, Group>()

  /** Runs the effect as a member of the group, as the policy says when the group is full. */
  within<A, E, R>(
    policy: ConcurrencyGroup,
    effect: Effect.Effect<A, E, R>,
  ): Effect.Effect<A, E | StageFailed, R> {
    return Effect.acquireUseRelease(
      this.enter(policy),
      (holder) =>
        policy.on_limit === "cancel" ? Effect.raceFirst(effect, cancelled(holder, policy)) : effect,
      (holder) => Effect.sync(() => this.leave(policy.group, holder)),
    )
  }

  private enter(policy: ConcurrencyGroup): Effect.Effect<Holder, StageFailed> {
    return Effect.suspend(() => {
      const group = this.group(policy.group)
      const holder: Holder = { cancel: undefined }
      if (group.holders.size < policy.limit) {
        group.holders.add(holder)
        return Effect.succeed(holder)
      }
      switch (policy.on_limit) {
        case "fail":
          return Effect.fail(
            new StageFailed({
              class: "cancelled",
              message: `the concurrency group "${policy.group}" is full (${policy.limit})`,
            }),
          )
        case "cancel":
          for (const oldest of group.holders) {
            group.holders.delete(oldest)
            oldest.cancel?.()
            break
          }
          group.holders.add(holder)
          return Effect.succeed(holder)
        case "queue":
          return Effect.interruptible(this.wait(group, holder, policy.limit))
      }
    })
  }

  private wait(group: Group, holder: Holder, limit: number): Effect.Effect<Holder> {
    return Effect.callback<Holder>((resume) => {
      const tryEnter = () => {
        if (group.holders.size >= limit) return
        group.waiting.splice(group.waiting.indexOf(tryEnter), 1)
        group.holders.add(holder)
        resume(Effect.succeed(holder))
      }
      group.waiting.push(tryEnter)
      return Effect.sync(() => {
        const index = group.waiting.indexOf(tryEnter)
        if (index >= 0) group.waiting.splice(index, 1)
        else {
          group.holders.delete(holder)
          group.waiting[0]?.()
        }
      })
    })
  }

  private leave(name: string, holder: Holder): void {
    const group = this.group(name)
    group.holders.delete(holder)
    group.waiting[0]?.()
    if (group.holders.size === 0 && group.waiting.length === 0) this.groups.delete(name)
  }

  private group(name: string): Group {
    let group = this.groups.get(name)
    if (group === undefined) {
      group = { holders: new Set(), waiting: [] }
      this.groups.set(name, group)
    }
    return group
  }
}

const cancelled = (holder: Holder, { group }: ConcurrencyGroup) =>
  Effect.callback<never, StageFailed>((resume) => {
    holder.cancel = () =>
      resume(
        Effect.fail(
          new StageFailed({
            class: "cancelled",
            message: `a newer member of the concurrency group "${group}" took its place`,
          }),
        ),
      )
  })
