/** What starts runs of the served workflows, one line each. */
import type { LoadedWorkflow } from "@planloom/core"
import { nextTick, type ServedWorkflow } from "@planloom/server"
import type { Entry } from "../list/Entry.ts"
import { stderr } from "../terminal/Screen.ts"

/** Triggers of a workflow as entries of a list. */
export const triggerEntries = (
  { triggers }: LoadedWorkflow["pipeline"],
  name: string,
  now: number,
): ReadonlyArray<Entry> => [
  ...(triggers?.schedules ?? []).map(({ cron, missed, zone }): Entry => {
    const next = new Date(nextTick({ cron, missed, zone }, now)).toISOString()
    return {
      id: cron,
      aside: zone,
      summary: `next ${next}; missed: ${missed}`,
      data: { trigger: "schedule", zone, missed, next },
    }
  }),
  ...(triggers?.webhook === undefined
    ? []
    : [
        {
          id: `POST /hooks/${name}`,
          summary: `signed with ${triggers.webhook.secrets.join(" or ")}`,
          data: { trigger: "webhook", secrets: triggers.webhook.secrets },
        },
      ]),
]

/** Warns of a webhook whose secret has no value. */
export const triggerLines = (
  workflows: ReadonlyMap<string, ServedWorkflow>,
  now: number,
): ReadonlyArray<string> =>
  [...workflows].flatMap(([name, { pipeline, webhookSecrets }]) => {
    const secrets = pipeline.triggers?.webhook?.secrets
    const isOff = secrets !== undefined && webhookSecrets === undefined
    return [
      ...triggerEntries(pipeline, name, now)
        .filter(({ data }) => !isOff || data?.["trigger"] !== "webhook")
        .map(({ aside, id, summary }) =>
          stderr.style.dim(`${name}: ${id}${aside === undefined ? "" : ` ${aside}`}, ${summary}`),
        ),
      ...(isOff
        ? [
            stderr.style.warn(
              `the webhook of ${name} is off: the variable ${secrets.join(" or ")} is not set`,
            ),
          ]
        : []),
    ]
  })
