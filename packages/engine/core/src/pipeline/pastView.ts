/** A given conversation as expressions see it, without a run that could have had it. */
import type { Json, JsonObject, SessionEntity } from "@planloom/plugin/effect"
import type { Past, SessionDefinition } from "@planloom/language"

const nothing: Past = { summary: "", turns: [], entities: [], state: {} }

export const pastView = ({ state }: SessionDefinition, past = nothing): JsonObject => ({
  id: "",
  summary: past.summary,
  turns: past.turns.map(({ assistant, user }) => ({ user, assistant })),
  entities: entitiesIn(past),
  state: {
    ...Object.fromEntries(
      Object.entries(state).map(([name, { default: initial }]): [string, Json] => [name, initial]),
    ),
    ...past.state,
  },
})

/** The entities that are given, each with its name and its turn. */
export const entitiesIn = ({ entities, turns }: Past): ReadonlyArray<SessionEntity> =>
  entities.map(({ id, name = id, turn = Math.max(turns.length, 1), type }) => ({
    type,
    id,
    name,
    turn,
  }))
