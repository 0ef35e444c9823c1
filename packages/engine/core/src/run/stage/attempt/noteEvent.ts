/** A note of a stage kind, or its progress → the event of it: a note is checked and rendered where a plugin declares its kind. */
import type { Json, RunEvent, Untimed } from "@planloom/plugin/effect"
import { validatorOf } from "@planloom/schema/ajv"
import { formatIssues } from "@planloom/schema"
import type { Pipeline } from "../../../pipeline/Pipeline.ts"

/** Throws TypeError for data that does not fit the declared schema. */
export const noteEvent = (
  { events }: Pipeline,
  { path, stage }: { readonly path: string; readonly stage: string },
  note: string,
  data: Json,
  shown: { readonly audience?: "user" | "operator"; readonly text?: string } = {},
): Untimed<RunEvent> => {
  const event = { type: "Noted", path, stage, note, data, ...shown } as const
  const kind = events.get(note)
  if (kind === undefined) return event
  const issues = validatorOf(kind.schema)(data)
  if (issues.length > 0) {
    throw new TypeError(
      `the event "${note}" of stage "${stage}" does not fit its schema: ${formatIssues(issues)}`,
    )
  }
  const text = kind.render?.(data)
  return { ...event, audience: kind.audience, ...(text === undefined ? {} : { text }) }
}

export const progressed = (
  { path, stage }: { readonly path: string; readonly stage: string },
  message: string,
  fraction: number | undefined,
): Untimed<RunEvent> => ({
  type: "Progressed",
  path,
  stage,
  message,
  ...(fraction === undefined ? {} : { fraction }),
})
