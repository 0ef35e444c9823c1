/** Measures runs by their events. */
import {
  failureClasses,
  type FailureRecord,
  type ObservedRun,
  type RunEvent,
  type RunObserver,
} from "@planloom/plugin/effect"
import { isMadeCall } from "@planloom/plugin/facts"
import { modelAttributes, toolAttributes } from "./calls.ts"
import type { MetricStore } from "./MetricStore.ts"
import { RunCourse } from "./RunCourse.ts"

type Event<T extends RunEvent["type"]> = Extract<RunEvent, { readonly type: T }>

/** A name as authors write them; a plugin's note could hold any text in its place. */
const name = /^[a-z]\w{0,39}$/i

const acts: ReadonlyArray<unknown> = ["thank", "affirm", "refuse", "resume", "greet"]

export class RunMetrics {
  private readonly store: MetricStore

  constructor(store: MetricStore) {
    this.store = store
  }

  readonly observe = ({ workflow }: ObservedRun): RunObserver => {
    const course = new RunCourse(workflow)
    return {
      resumed: (events) => {
        for (const event of events) course.follow(event)
        course.restart()
      },
      event: (event) => {
        course.began ??= event.at
        this.measure(event, course)
        course.follow(event)
      },
      end: (at) => this.finish(at, course, "left"),
    }
  }

  /** Before the course follows the event. */
  private measure(event: RunEvent, course: RunCourse): void {
    const { store } = this
    switch (event.type) {
      case "ModelCalled":
        return this.modelCalled(event, course)
      case "ReplyRead":
        if (event.reviewer !== undefined) return
        return store.add("replies", 1, {
          ...course.placeOf(event),
          "planloom.reply.rung": event.rung,
        })
      case "Reasoned":
        return store.add("reasoning", event.words, course.placeOf(event))
      case "ToolCalled":
        return this.toolCalled(event, course)
      case "Noted":
        return this.noted(event, course)
      case "LoopEnded":
        return store.add("iterations", event.iterations, {
          ...course.placeOf(event),
          "planloom.loop.stopped": event.stopped,
        })
      case "Asked":
        if (event.wait.kind === "timer") return
        return store.add("questionsAsked", 1, {
          ...course.placeOf(event),
          "planloom.question.kind": event.wait.kind,
        })
      case "Answered":
        if (event.kind === "timer") return
        return store.add("questionsAnswered", 1, {
          ...course.placeOf(event),
          "planloom.question.kind": event.kind,
          "planloom.question.answer": answerOf(event),
        })
      case "AttemptFailed":
        return store.add("attemptFailures", 1, {
          ...course.placeOf(event),
          "error.type": classOf(event.failure),
        })
      case "StageFinished":
        return this.stageEnded(event, course, { "planloom.stage.strategy": event.strategy })
      case "StageFailed": {
        const failed = { "error.type": classOf(event.failure) }
        store.add("stageFailures", 1, { ...course.placeOf(event), ...failed })
        return this.stageEnded(event, course, failed)
      }
      case "Reviewed":
        if (event.cause === "verdict" && event.verdict === "enrich") {
          store.add("suggestions", 1, {
            ...course.placeOf(event),
            "planloom.reviewer": event.reviewer,
          })
        }
        return store.add("reviews", 1, {
          ...course.placeOf(event),
          "planloom.reviewer": event.reviewer,
          "planloom.review.verdict": event.verdict,
          "planloom.review.cause": event.cause,
        })
      case "RunFinished":
        return this.finish(event.at, course, "succeeded")
      case "RunFailed":
        return this.failed(event, course)
      case "RunCancelled":
        return this.finish(event.at, course, "cancelled")
      case "RunSuspended":
        return this.finish(event.at, course, "suspended")
    }
  }

  private modelCalled(event: Event<"ModelCalled">, course: RunCourse): void {
    const { store } = this
    const { alias, cost, failure, ms, usage } = event
    const attributes = {
      ...course.placeOf(event),
      "planloom.model.alias": alias,
      ...modelAttributes(event),
    }
    store.add("modelDuration", ms / 1000, { ...attributes, "error.type": classOf(failure) })
    for (const type of ["input", "output"] as const) {
      const tokens = usage[type]
      if (tokens > 0) store.add("tokens", tokens, { ...attributes, "gen_ai.token.type": type })
    }
    if (usage.cached !== undefined && usage.cached > 0) {
      store.add("cachedTokens", usage.cached, attributes)
    }
    if (cost !== undefined) store.add("cost", cost, attributes)
  }

  private toolCalled(event: Event<"ToolCalled">, course: RunCourse): void {
    if (event.from !== undefined) {
      return this.store.add("toolsReused", 1, {
        ...course.placeOf(event),
        "gen_ai.tool.name": event.tool,
      })
    }
    if (!isMadeCall(event)) return
    this.store.add("toolDuration", event.ms / 1000, {
      ...course.placeOf(event),
      ...toolAttributes(event),
      "error.type": classOf(event.failure),
    })
  }

  private noted(event: Event<"Noted">, course: RunCourse): void {
    const { data, note } = event
    if (note === "missing_reasoning") {
      return this.store.add("reasoning", 0, course.placeOf(event))
    }
    if (typeof data !== "object" || data === null) return
    const { act, agent, confidence, missing, mode, round, strategy } = data as {
      readonly [member: string]: unknown
    }
    if (note === "hop") {
      const since = course.hopStartOf(event)
      if (since === undefined || typeof agent !== "string" || !name.test(agent)) return
      return this.store.add("hopDuration", (event.at - since) / 1000, {
        ...course.placeOf(event),
        "planloom.hop.agent": agent,
        "planloom.hop.mode": mode === "full" || mode === "routing" ? mode : undefined,
      })
    }
    if (note === "dialogue_act" && course.isFollowUp && acts.includes(act)) {
      return this.store.add("dialogueActs", 1, {
        ...course.placeOf(event),
        "planloom.dialogue.act": String(act),
      })
    }
    if (note === "confidence" && typeof confidence === "number") {
      // One out of its bounds, or none, would only spoil the sum.
      if (!(confidence >= 0 && confidence <= 1)) return
      return this.store.add("confidence", confidence, course.judgedPlaceOf(event))
    }
    if (note === "reflection" && typeof strategy === "string" && Array.isArray(missing)) {
      return this.store.add("reflections", 1, {
        ...course.judgedPlaceOf(event),
        "planloom.reflection.round": roundOf(round),
        "planloom.reflection.strategy": name.test(strategy) ? strategy : undefined,
        "planloom.reflection.complete": String(missing.length === 0),
      })
    }
  }

  private stageEnded(
    event: Event<"StageFinished" | "StageFailed">,
    course: RunCourse,
    more: {
      readonly "error.type"?: string | undefined
      readonly "planloom.stage.strategy"?: string | undefined
    },
  ): void {
    const since = course.startOf(event)
    if (since === undefined) return
    this.store.add("stageDuration", (event.at - since) / 1000, {
      ...course.placeOf(event),
      ...more,
    })
  }

  private failed({ at, failure }: Event<"RunFailed">, course: RunCourse): void {
    const unasked = course.unaskedQuestion
    // A question that ends the run is read by its caller.
    if (failure.class === "clarification" && unasked !== undefined) {
      this.store.add("questionsAsked", 1, {
        ...unasked,
        "planloom.question.kind": "clarification",
      })
    }
    this.finish(at, course, "failed", classOf(failure))
  }

  private finish(at: number, course: RunCourse, status: string, error?: string): void {
    const { began, calls } = course
    if (began === undefined) return
    const attributes = { ...course.ofRun, "planloom.run.status": status }
    this.store.add("runDuration", (at - began) / 1000, { ...attributes, "error.type": error })
    if (status !== "suspended" && status !== "left") {
      this.store.add("runCalls", calls, attributes)
      if (course.isFirstTurn) this.store.add("conversations", 1, course.ofRun)
    }
    course.restart()
  }
}

/** A plugin in plain JavaScript may fail with any text in place of a class. */
const classOf = (failure: FailureRecord | undefined): string | undefined =>
  failure === undefined || Object.hasOwn(failureClasses, failure.class) ? failure?.class : "other"

/** Of a round that counts from 0. */
const roundOf = (round: unknown): string | undefined =>
  round === 0 || round === 1 || round === 2 || round === 3 || round === 4
    ? String(round + 1)
    : typeof round === "number"
      ? "more"
      : undefined

/** Who has answered is left out. */
const answerOf = ({ by }: Event<"Answered">): string =>
  by === "default" || by === "expired" || by === "declined" ? by : "given"
