/** A scheduler that knows whether fibers of one piece of work are about to run. */
import * as Effect from "effect/Effect"
import { Scheduler, type SchedulerDispatcher } from "effect/Scheduler"
import type { Fiber } from "effect/Fiber"

export class CountingScheduler implements Scheduler {
  /** Called whenever the last scheduled task has run. */
  onIdle: () => void = () => {}
  private readonly base: Scheduler
  private readonly dispatcher: SchedulerDispatcher
  private queued = 0
  private isLooking = false

  private constructor(base: Scheduler) {
    this.base = base
    this.dispatcher = base.makeDispatcher()
  }

  /** Runs the work and the fibers that it forks on a scheduler of their own, which `opened` receives. */
  static during<A, E, R>(
    work: Effect.Effect<A, E, R>,
    opened: (scheduler: CountingScheduler) => void,
  ): Effect.Effect<A, E, R> {
    return Effect.flatMap(Scheduler, (base) => {
      const scheduler = new CountingScheduler(base)
      opened(scheduler)
      return Effect.provideService(work, Scheduler, scheduler)
    })
  }

  get executionMode(): Scheduler["executionMode"] {
    return this.base.executionMode
  }

  /** Whether no fiber of the work is scheduled. One that runs at present counts as idle. */
  get isIdle(): boolean {
    return this.queued === 0
  }

  shouldYield(fiber: Fiber<unknown, unknown>): boolean {
    return this.base.shouldYield(fiber)
  }

  makeDispatcher(): SchedulerDispatcher {
    const dispatcher = this.base.makeDispatcher()
    return {
      flush: () => dispatcher.flush(),
      scheduleTask: (task, priority) => {
        this.queued++
        dispatcher.scheduleTask(() => {
          this.queued--
          task()
          if (this.queued === 0) this.onIdle()
        }, priority)
      },
    }
  }

  /** Calls `look` once the code that runs at present has returned; of several requests until then, the first counts. */
  afterwards(look: () => void): void {
    if (this.isLooking) return
    this.isLooking = true
    this.dispatcher.scheduleTask(() => {
      this.isLooking = false
      look()
    }, 0)
  }
}
