/** Event kinds: what stage kinds of a plugin report of their own, checked and rendered. */
import type { Json, JsonSchema } from "../value/Json.ts"

/**
 * A kind of event. A stage kind emits one with `context.note(name, data)`; data that does not fit the schema is a
 * defect of the stage kind and fails its stage.
 */
export interface EventKind<Data = Json> {
  /** Unique over all plugins of a workflow. */
  readonly name: string
  readonly summary: string
  readonly schema: JsonSchema
  /** `user`: shown to a person who watches the run; `operator`: kept in the record alone. */
  readonly audience: "user" | "operator"
  /** One line for people, kept with the event. */
  readonly render?: (data: Data) => string
}

/** Declares an event kind; `Data` must agree with `schema`. */
export const eventKind = <Data>(kind: EventKind<Data>): EventKind => kind as unknown as EventKind
