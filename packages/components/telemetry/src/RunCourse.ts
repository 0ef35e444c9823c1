/** The course of a run so far, as far as its metrics depend on earlier events. */
import type { RunEvent } from "@planloom/plugin/effect"
import { isMadeCall } from "@planloom/plugin/facts"
import { isPathWithin, outerNames } from "@planloom/plugin/segments"
import type { AttributesOf } from "./Metrics.ts"

interface StageCourse {
  /** End of its last hop, else its start; as `since`. */
  hop: number | undefined
  /** Undefined if its duration would not be its own: it asked a person, or began in another process. */
  since: number | undefined
  /** Alias of the model that it asked last. */
  alias: string | undefined
  /** It continues without its model. */
  isDegraded: boolean
}

/** The name of the stage of an event. */
interface AtStage {
  readonly path: string
  readonly stage: string
}

type Place = AttributesOf<"confidence">

export class RunCourse {
  /** The time at which this process started or resumed the run; undefined before that, and once its part has ended. */
  began: number | undefined
  /** Tool calls that were made. */
  calls = 0
  /** Its session has earlier turns, and what its message does was not noted yet: another attempt reads it again. */
  isFollowUp = false
  /** Its session has no earlier turn. */
  isFirstTurn = false
  private readonly workflow: string
  private variant: string | undefined
  private readonly variants = new Map<string, string>()
  private readonly stages = new Map<string, StageCourse>()
  private openQuestions = 0
  private unasked: { readonly path: string; readonly place: Place } | undefined

  constructor(workflow: string) {
    this.workflow = workflow
  }

  get ofRun() {
    return { "planloom.workflow": this.workflow, "planloom.experiment.variant": this.variant }
  }

  /** The place of the question that ended the run; undefined if it was put to a person or a program. */
  get unaskedQuestion(): Place | undefined {
    return this.openQuestions > 0 ? undefined : (this.unasked?.place ?? this.ofRun)
  }

  placeOf({ path, stage }: AtStage): Place {
    return {
      ...this.ofRun,
      "planloom.stage.id": stage === "" ? undefined : stage,
      "planloom.model.alias": this.stages.get(path)?.alias,
    }
  }

  /** The place without the model if the stage does without it: then it has not judged. */
  judgedPlaceOf(event: AtStage): Place {
    const place = this.placeOf(event)
    return this.stages.get(event.path)?.isDegraded === true
      ? { ...place, "planloom.model.alias": undefined }
      : place
  }

  startOf({ path }: AtStage): number | undefined {
    return this.stages.get(path)?.since
  }

  /** The start of the hop that ends here; undefined if it is not known. */
  hopStartOf({ path }: AtStage): number | undefined {
    return this.stages.get(path)?.hop
  }

  /** Its part in this process has ended, or begins: nothing is measured across processes. */
  restart(): void {
    this.began = undefined
    for (const stage of this.stages.values()) stage.since = stage.hop = undefined
  }

  follow(event: RunEvent): void {
    switch (event.type) {
      case "SessionOpened":
        this.isFollowUp = event.turns > 0
        this.isFirstTurn = event.turns === 0
        return
      case "Noted":
        if (event.note === "dialogue_act") this.isFollowUp = false
        if (event.note === "hop") this.stageAt(event.path).hop = event.at
        return
      case "VariantAssigned": {
        if (event.reason !== "hash" && event.reason !== "kept") return
        this.variants.set(event.experiment, event.variant)
        this.variant = [...this.variants]
          .map(([experiment, variant]) => `${experiment}=${variant}`)
          .toSorted()
          .join(",")
        return
      }
      case "StageStarted":
        this.stages.set(event.path, {
          since: event.at,
          hop: event.at,
          alias: undefined,
          isDegraded: false,
        })
        return
      case "ModelCalled":
        if (event.reviewer !== undefined || event.alias === undefined) return
        this.stageAt(event.path).alias = event.alias
        return
      case "Degraded":
        this.stageAt(event.path).isDegraded = true
        return
      case "ToolCalled":
        if (isMadeCall(event)) this.calls++
        return
      case "Asked":
        if (event.wait.kind !== "timer") this.openQuestions++
        for (const path of [event.path, ...outerNames(event.path)]) {
          const stage = this.stages.get(path)
          if (stage !== undefined) stage.since = stage.hop = undefined
        }
        return
      case "Answered":
        if (event.kind !== "timer") this.openQuestions--
        return
      case "StageFailed":
        if (event.failure.class === "clarification") this.noteUnasked(event)
        this.stages.delete(event.path)
        return
      case "StageFinished":
        this.stages.delete(event.path)
        return
    }
  }

  /** The innermost stage is the first to fail; those around it fail with the same question. */
  private noteUnasked(event: AtStage): void {
    const { path } = event
    if (this.unasked !== undefined && isPathWithin(this.unasked.path, path)) return
    this.unasked = { path, place: this.placeOf(event) }
  }

  /** A stage that started in an earlier process, or outside of any. */
  private stageAt(path: string): StageCourse {
    let stage = this.stages.get(path)
    if (stage === undefined) {
      stage = { since: undefined, hop: undefined, alias: undefined, isDegraded: false }
      this.stages.set(path, stage)
    }
    return stage
  }
}
