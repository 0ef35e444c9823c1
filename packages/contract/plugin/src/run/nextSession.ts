/** What a session is after a change, the same in every store. */
import type { SessionChange, SessionRecord } from "./Session.ts"

export const nextSession = (
  session: string,
  before: Pick<SessionRecord, "version" | "userDigests"> | undefined,
  { at, entities, run, state, summary, turns, userDigest, workflow }: SessionChange,
): SessionRecord => {
  const digests = new Set(before?.userDigests)
  if (userDigest !== undefined) digests.add(userDigest)
  return {
    session,
    workflow,
    version: (before?.version ?? 0) + 1,
    ...(summary === undefined ? {} : { summary }),
    turns,
    state,
    ...(entities === undefined ? {} : { entities }),
    ...(digests.size === 0 ? {} : { userDigests: [...digests] }),
    run,
    updatedAt: at,
  }
}
