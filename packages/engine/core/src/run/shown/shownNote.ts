/** A note for the user on its way through the gates of those that wrote it. */
import * as Effect from "effect/Effect"
import type { Json, JsonSchema, RunEvent, StageFailed, Untimed } from "@planloom/plugin/effect"
import { validatorOf } from "@planloom/schema/ajv"
import type { Pipeline } from "../../pipeline/Pipeline.ts"
import { noteEvent } from "../stage/attempt/noteEvent.ts"
import type { Shown } from "./ShownSite.ts"

interface Place {
  readonly path: string
  readonly stage: string
}

interface Note {
  readonly note: string
  readonly data: Json
  readonly shown?:
    | {
        readonly audience: "user" | "operator"
        readonly text: string
        readonly isAuthored?: true
        readonly otherwise?: string
        readonly schema?: JsonSchema
      }
    | undefined
}

/**
 * The event of the note; of one whose data does not fit its schema after the review, the note `withheld` for operators. A
 * note for operators is not reviewed.
 */
export const shownNote = (
  pipeline: Pipeline,
  place: Place,
  given: Note,
  review: <A extends Json>(value: A) => Effect.Effect<Shown<A>, StageFailed>,
): Effect.Effect<Untimed<RunEvent>> => {
  const { data, note, shown } = given
  // Throws for data that does not fit before.
  const event = noteEvent(pipeline, place, note, data, audienceOf(shown))
  if (event.type !== "Noted" || event.audience !== "user" || shown?.isAuthored === true) {
    return Effect.succeed(event)
  }
  const kind = pipeline.events.get(note)
  const work = Effect.flatMap(review(data), ({ value }) => {
    const fits = [kind?.schema, shown?.schema].every(
      (schema) => schema === undefined || validatorOf(schema)(value).length === 0,
    )
    if (!fits) return Effect.succeed(withheldNote(place, note))
    const { text } =
      kind === undefined
        ? event
        : (noteEvent(pipeline, place, note, value) as { readonly text?: string })
    return text === undefined
      ? Effect.succeed({ ...event, data: value })
      : Effect.map(review(text), (line) => {
          const isReplaced = line.isBlocked && shown?.otherwise !== undefined
          return { ...event, data: value, text: isReplaced ? shown.otherwise : line.value }
        })
  })
  // A gate that fails shows nothing of a model.
  return Effect.catch(work, () =>
    Effect.succeed(
      shown?.otherwise === undefined
        ? withheldNote(place, note)
        : { ...event, data: null, text: shown.otherwise },
    ),
  )
}

const audienceOf = (shown: Note["shown"]) =>
  shown === undefined ? {} : { audience: shown.audience, text: shown.text }

const withheldNote = (place: Place, note: string): Untimed<RunEvent> => ({
  type: "Noted",
  ...place,
  note: "withheld",
  data: { note },
  audience: "operator",
  text: `the note "${note}" is withheld: its review left no data that fits its schema`,
})
