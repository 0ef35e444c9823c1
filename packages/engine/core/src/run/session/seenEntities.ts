/** The entities of a session after a turn: those of its tool calls before those of earlier turns, each once. */
import type { CallRecord, SessionEntity } from "@planloom/plugin/effect"

export const seenEntities = (
  before: ReadonlyArray<SessionEntity>,
  calls: ReadonlyArray<CallRecord>,
  turn: number,
): ReadonlyArray<SessionEntity> => {
  const now = calls.toReversed().flatMap(({ entities = [] }) => entities)
  return eachOnce([...now.map((one) => ({ ...one, turn })), ...before])
}

/** The first of those with one type and id. */
export const eachOnce = (entities: ReadonlyArray<SessionEntity>): ReadonlyArray<SessionEntity> => {
  const seen = new Map<string, SessionEntity>()
  for (const entity of entities) {
    const key = JSON.stringify([entity.type, entity.id])
    if (!seen.has(key)) seen.set(key, entity)
  }
  return [...seen.values()]
}
