/** The session of a run that is given its past; nothing without one. */
import type { Past } from "@planloom/language"
import type { Pipeline, RunOptions } from "@planloom/core"
import { PAST, pastSession } from "@planloom/core/internal"

export const pastOf = (
  past: Past | undefined,
  pipeline: Pipeline,
): Pick<RunOptions, "session" | "sessions"> =>
  past === undefined ? {} : { session: PAST, sessions: pastSession(past, pipeline).sessions }
