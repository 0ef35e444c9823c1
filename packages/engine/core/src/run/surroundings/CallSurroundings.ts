/** What components know of the place in a run that calls them: the contract's `Surroundings`. */
import * as Effect from "effect/Effect"
import { below } from "@planloom/plugin/segments"
import type {
  CallRecord,
  CallSession,
  Collection,
  GiveText,
  Json,
  JsonObject,
  Surroundings,
} from "@planloom/plugin/effect"
import { isGated, textIn, variantIn, type Frame } from "../Frame.ts"
import { shownByAny } from "../shown/showing.ts"
import { shownNote } from "../shown/shownNote.ts"
import { noteEvent } from "../stage/attempt/noteEvent.ts"

/** Records of the calls of a stage, which grow. */
interface OwnRecords {
  readonly all: ReadonlyArray<CallRecord>
}

export class CallSurroundings implements Surroundings {
  readonly path: string
  readonly stage: string
  private readonly frame: Frame
  private readonly own: OwnRecords | undefined

  /** `own` are the calls of the stage itself, with their results. Outside of stages path and stage are empty. */
  constructor(frame: Frame, path: string, stage: string, own: OwnRecords | undefined) {
    this.frame = frame
    this.path = path
    this.stage = stage
    this.own = own
  }

  get run(): string {
    return this.frame.state.run
  }

  get user(): JsonObject {
    return this.frame.state.user
  }

  get session(): CallSession {
    return this.frame.state.session!
  }

  get calls(): ReadonlyArray<CallRecord> {
    const { calls } = this.frame.state
    return [...calls.filter(({ path }) => path !== this.path), ...(this.own?.all ?? [])]
  }

  get collection(): (name: string) => Collection {
    return this.frame.state.collection
  }

  get variant(): (experiment: string) => string | undefined {
    return variantIn(this.frame)
  }

  get text(): GiveText {
    return textIn(this.frame)
  }

  get files(): Surroundings["files"] {
    const { files } = this.frame.pipeline
    return (kind) => files.get(kind) ?? []
  }

  get note(): (note: string, data: Json) => Effect.Effect<void> {
    const { frame, path } = this
    const { pipeline, state } = frame
    return (note, data) =>
      isGated(frame)
        ? Effect.flatMap(
            shownNote(pipeline, this, { note, data }, (value) =>
              shownByAny({ frame, path, name: below(path, "shown", `note:${note}`) }, value),
            ),
            (event) => Effect.sync(() => state.emit(event)),
          )
        : Effect.sync(() => state.emit(noteEvent(pipeline, this, note, data)))
  }
}
