/** The entities of a session after a turn: those of its tool calls before those of earlier turns, each once. */
import type { CallRecord, SessionEntity } from "@planloom/plugin/effect"

export const seenEntities = (
  before: ReadonlyArray<SessionEntity>,
  calls: ReadonlyArray<CallRecord>,
  turn: number,
): ReadonlyArray<SessionEntity> => {
  const seen = new Map<string, SessionEntity>()
  const now = calls.toReversed().flatMap(({ entities = [] }) => entities)
  for (const entity of [...now.map((one) => ({ ...one, turn })), ...before]) {
    const key = JSON.stringify([entity.type, entity.id])
    if (!seen.has(key)) seen.set(key, entity)
  }
  return [...seen.values()]
}
