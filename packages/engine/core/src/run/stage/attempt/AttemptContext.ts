/** What one attempt of a stage may use: the contract's `StageContext`, bound to its place in the run. */
import * as Effect from "effect/Effect"
import {
  StageFailed,
  type Clarified,
  type Domain,
  type Failure,
  type Feedback,
  type GiveText,
  type Json,
  type StageContext,
  type StageFinding,
  type Question,
  type Tool,
} from "@planloom/plugin/effect"
import { below, type Draw } from "@planloom/plugin/segments"
import { rejectionOf } from "@planloom/schema"
import { unavailability } from "../../../pipeline/unavailability.ts"
import { isGated, textIn, variantIn } from "../../Frame.ts"
import { shownByStage } from "../../shown/showing.ts"
import { shownQuestion } from "../../shown/shownQuestion.ts"
import { shownNote } from "../../shown/shownNote.ts"
import type { Shown } from "../../shown/ShownSite.ts"
import { imageFilesModule, reviewModule } from "../../lateModules.ts"
import { noteEvent, progressed } from "./noteEvent.ts"
import { AttemptTools } from "./AttemptTools.ts"
import type { NamedUse } from "./reviewOne.ts"
import { RecordedIndex } from "./RecordedIndex.ts"
import { untimed } from "../../policy/timeLimit.ts"
import { tryEvaluate } from "../tryEvaluate.ts"
import { waitOf } from "../question.ts"

/** The longest wait for which a run that can be resumed stays in memory. */
const MAX_HELD_SLEEP_MS = 60_000

export class AttemptContext extends AttemptTools implements StageContext {
  get answers(): ReadonlyArray<Clarified> {
    return this.occurrence.answers
  }

  get variant(): (experiment: string) => string | undefined {
    return variantIn(this.frame)
  }

  get text(): GiveText {
    return textIn(this.frame)
  }

  get feedback(): Feedback | undefined {
    return this.occurrence.feedback
  }

  get tools(): ReadonlyArray<Tool> {
    return [...this.registry.values()].flatMap(({ tool }) =>
      tool.offered !== false && unavailability(tool) === undefined ? [tool] : [],
    )
  }

  get domains(): ReadonlyArray<Domain> {
    return this.frame.pipeline.domains
  }

  // The contract's functions are getters: made only for kinds that use them, and safe to take out of the object.

  get files(): StageContext["files"] {
    const { files } = this.frame.pipeline
    return (kind) => files.get(kind) ?? []
  }

  /**
   * What the stage shows to a person, after the gates of those that wrote it: the same value unless a review changed a text
   * in it. Nothing to do for a workflow without a gate.
   */
  shown<A extends Json>(value: A): Effect.Effect<Shown<A>, StageFailed> {
    return Effect.suspend(() =>
      this.shownAs(below(this.attemptPath, "shown", this.next("shown")), value),
    )
  }

  shownAs<A extends Json>(name: string, value: A): Effect.Effect<Shown<A>, StageFailed> {
    const { frame, path, stage } = this
    return this.holding(shownByStage({ frame, name, path, stage }, value))
  }

  /** A question as it may be put. */
  protected asked(question: Question): Effect.Effect<Question, StageFailed> {
    return isGated(this.frame)
      ? shownQuestion(question, { id: this.stage, written: this.work.with }, (value) =>
          this.shown(value),
        )
      : Effect.succeed(question)
  }

  get index(): StageContext["index"] {
    const { index } = this.frame.pipeline
    return (documents) =>
      index === undefined
        ? Effect.fail(
            new StageFailed({
              class: "invalid_request",
              message: `stage "${this.stage}" needs an index; declare a plugin that has one, for example @planloom/retrieval`,
            }),
          )
        : index.embedder === undefined
          ? index.build(documents)
          : Effect.sync(() => new RecordedIndex(documents, index.build, this.recorded))
  }

  get workflow(): StageContext["workflow"] {
    // Named as the attempt's calls are: another attempt must not be answered with what this one did.
    return (path, inputs) =>
      this.holding(
        Effect.suspend(() => {
          const number = this.next("workflow")
          const place =
            number === 1 ? this.attemptPath : below(this.attemptPath, "workflow", number)
          const { frame, nested, node } = this.occurrence
          const around = node.gate ?? frame.around
          const within = around === undefined ? frame : { ...frame, around }
          return nested.workflow(within, place, path, inputs)
        }),
      )
  }

  get holds(): StageContext["holds"] {
    const { scope } = this.frame
    return (key, variables) =>
      Effect.suspend(() => {
        const condition = this.work.conditions.get(key)
        if (condition === undefined) return Effect.succeed(false)
        const value = tryEvaluate(condition.evaluate, { ...scope, ...variables })
        return value instanceof StageFailed ? Effect.fail(value) : Effect.succeed(value === true)
      })
  }

  get review(): StageContext["review"] {
    const { frame, hookSite } = this
    const { pipeline, state } = frame
    return (uses, draft) =>
      Effect.suspend(() => {
        const name = below(this.attemptPath, "review", this.next("review"))
        const modelAt = (path: string, use: NamedUse) => this.reviewModel(path, use, false)
        const work = Effect.flatMap(reviewModule(), ({ reviewText }) =>
          reviewText({ site: hookSite, pipeline, name, uses, draft, modelAt }),
        )
        // Past a cassette, which holds the model calls inside.
        return this.holding(
          state.journal.step(name, work as unknown as Effect.Effect<Json, StageFailed>),
        ) as unknown as Effect.Effect<ReadonlyArray<StageFinding>, StageFailed>
      })
  }

  get image(): StageContext["image"] {
    return (path) =>
      Effect.flatMap(imageFilesModule(), ({ ImageFiles }) => {
        // Tools leave images in the folder of the run.
        const images = (this.images ??= new ImageFiles([...this.roots, this.workspace]))
        const name = below(this.attemptPath, "image", this.next("image"))
        return Effect.map(this.record(name, images.read(path)), (image) =>
          images.content(path, image),
        )
      })
  }

  get step(): StageContext["step"] {
    return (name, effect) => this.record(below(this.attemptPath, "step", name), effect)
  }

  get ask(): StageContext["ask"] {
    return (question) =>
      Effect.suspend(() => {
        const { message } = rejectionOf(question.schema ?? true) ?? {}
        return message === undefined
          ? Effect.flatMap(this.asked(question), (shown) =>
              Effect.map(this.put(waitOf(shown, this)), ({ answer }) => answer),
            )
          : Effect.fail(new StageFailed({ class: "invalid_request", message }))
      })
  }

  private draw<A extends Json>(what: Draw, effect: Effect.Effect<A>): Effect.Effect<A> {
    return Effect.suspend(() =>
      this.record(
        below(this.attemptPath, what, this.next("draw")),
        effect as Effect.Effect<A, Failure>,
      ),
    ) as Effect.Effect<A>
  }

  get now(): Effect.Effect<number> {
    return this.draw(
      "now",
      Effect.sync(() => this.clock()),
    )
  }

  get sleepUntil(): StageContext["sleepUntil"] {
    const { journal } = this.frame.state
    return (time) =>
      Effect.flatMap(this.now, (now) => {
        const name = below(this.attemptPath, "sleep", this.next("sleep"))
        if (!journal.lasting || time - now <= MAX_HELD_SLEEP_MS) {
          return untimed(journal.sleep(name, time))
        }
        const message = `waits until ${new Date(time).toISOString()}`
        const timer = { kind: "timer", schema: false, expiresAt: time, default: null } as const
        return Effect.asVoid(this.put({ name, path: this.path, message, ...timer }))
      })
  }

  get random(): Effect.Effect<number> {
    return this.draw("random", Effect.sync(Math.random))
  }

  get id(): Effect.Effect<string> {
    return this.draw(
      "id",
      Effect.sync(() => crypto.randomUUID()),
    )
  }

  get progress(): StageContext["progress"] {
    const emit = (message: string, fraction: number | undefined) =>
      Effect.sync(() => this.emit(progressed(this, message, fraction)))
    return (message, fraction) =>
      isGated(this.frame)
        ? Effect.matchEffect(this.shown(message), {
            onFailure: () => Effect.void,
            onSuccess: ({ isBlocked, value }) => (isBlocked ? Effect.void : emit(value, fraction)),
          })
        : emit(message, fraction)
  }

  get note(): StageContext["note"] {
    return (note, data, shown) =>
      isGated(this.frame)
        ? Effect.flatMap(
            shownNote(this.frame.pipeline, this, { note, data, shown }, (value) =>
              this.shown(value),
            ),
            (event) => Effect.sync(() => this.emit(event)),
          )
        : Effect.sync(() => this.emit(noteEvent(this.frame.pipeline, this, note, data, shown)))
  }
}
