/** A given conversation as a session that a run can be a turn of. */
import type {
  CallRecord,
  SessionEntity,
  SessionRecord,
  SessionStore,
  SessionTurn,
} from "@planloom/plugin/effect"
import type { Past } from "@planloom/language"
import { entitiesIn } from "../../pipeline/pastView.ts"
import type { Pipeline } from "../../pipeline/Pipeline.ts"
import { entitiesOf, summarize } from "../../tool/ToolExpressions.ts"
import { writes } from "../../tool/writes.ts"
import { memorySessions } from "./memorySessions.ts"
import { eachOnce, seenEntities } from "./seenEntities.ts"
import { turnNotes } from "./turnNotes.ts"

/** An expression of a tool that cannot read the result of a call. */
export interface PastFault {
  readonly turn: number
  readonly call: number
  readonly message: string
}

/** The name of the session, and the run of its last turn. */
export const PAST = "past"

/** A session with the turns, and what their calls are about by the tools of the workflow. */
export const pastSession = (
  past: Past,
  { name: workflow, session, tools }: Pick<Pipeline, "name" | "session" | "tools">,
): { readonly sessions: SessionStore; readonly faults: ReadonlyArray<PastFault> } => {
  const given = entitiesIn(past)
  const version = Math.max(1, past.turns.length, ...given.map(({ turn }) => turn))
  const dropped = version - past.turns.length
  const faults: Array<PastFault> = []
  let seen: ReadonlyArray<SessionEntity> = []
  const turns = past.turns.map(({ assistant, calls, user }, turn): SessionTurn => {
    const records = calls.map(({ params, result, tool: name }, call): CallRecord => {
      const tool = tools.get(name)?.tool
      const { entities, faults: ofEntities } = entitiesOf(tool, params, result)
      const { fault, summary } = summarize(tool, params, result)
      for (const { key, message } of fault === undefined ? ofEntities : [...ofEntities, fault]) {
        faults.push({
          turn,
          call,
          message: `the expression ${key} of "${name}" failed: ${message}`,
        })
      }
      return { tool: name, params, key: String(call), path: "", ok: true, summary, entities }
    })
    seen = seenEntities(seen, records, dropped + turn + 1)
    const notes =
      session?.compact === undefined
        ? []
        : turnNotes(records, (name) => writes(tools.get(name)?.tool ?? {}))
    return { user, assistant, ...(notes.length === 0 ? {} : { notes }) }
  })
  const record: SessionRecord = {
    session: PAST,
    workflow,
    version,
    ...(past.summary === "" ? {} : { summary: past.summary }),
    turns,
    state: past.state,
    entities: eachOnce([...given, ...seen]).slice(0, session?.entities ?? 0),
    run: PAST,
    updatedAt: 0,
  }
  return { sessions: memorySessions(isEmpty(past) ? [] : [record]), faults }
}

const isEmpty = ({ entities, state, summary, turns }: Past): boolean =>
  turns.length + entities.length + Object.keys(state).length === 0 && summary === ""
