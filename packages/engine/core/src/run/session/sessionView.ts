/** The session as expressions of a run see it: as many turns and entities as the workflow keeps, and its state. */
import type { Json, JsonObject, SessionEntity, SessionTurn } from "@planloom/plugin/effect"
import type { PipelineSession } from "../../pipeline/Pipeline.ts"

/** What expressions see as `session`. */
interface SessionView extends JsonObject {
  readonly id: string
  /** Of the turns before `turns`; empty if there are none. */
  readonly summary: string
  readonly turns: ReadonlyArray<{ readonly user: string; readonly assistant: string }>
  readonly entities: ReadonlyArray<SessionEntity>
  readonly state: JsonObject
}

/** The session at the start of the run; recorded, so that a resumed run sees the same. */
export interface Opened extends JsonObject {
  readonly version: number
  /** The run that was kept last. */
  readonly after: string | null
  readonly summary: string
  readonly turns: ReadonlyArray<Json>
  readonly entities: ReadonlyArray<SessionEntity>
  readonly state: JsonObject
  /** The run of the turn before, which did not come to its save. */
  readonly unreviewed?: string
}

/** Of a session without turns. */
export const neverOpened: Opened = {
  version: 0,
  after: null,
  summary: "",
  turns: [],
  entities: [],
  state: {},
}

/** The session of a run that is no turn of one. */
export const noSession: JsonObject = {
  id: "",
  summary: "",
  turns: [],
  entities: [],
  state: {},
} satisfies SessionView

export const viewOf = (
  session: string,
  { entities, state, summary, turns }: Opened,
  wanted: PipelineSession,
): { readonly view: SessionView; readonly reset: ReadonlyArray<string> } => {
  const reset: Array<string> = []
  const given: { [name: string]: Json } = {}
  for (const { initial, name, validate } of wanted.state) {
    const known = Object.hasOwn(state, name) ? state[name] : undefined
    const fits = known !== undefined && validate(known).length === 0
    if (known !== undefined && !fits) reset.push(name)
    given[name] = fits ? known : initial
  }
  const most = wanted.compact?.after ?? wanted.window
  const shown = most === 0 ? [] : (turns.slice(-most) as unknown as ReadonlyArray<SessionTurn>)
  return {
    view: {
      id: session,
      summary,
      turns: shown.map(({ assistant, user }) => ({ user, assistant })),
      entities: entities.slice(0, wanted.entities),
      state: given,
    },
    reset,
  }
}
