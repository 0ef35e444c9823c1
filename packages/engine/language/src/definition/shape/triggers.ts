/** The shape of `on`: what starts runs of a workflow that is served. */
import type { JsonObject } from "@planloom/plugin/effect"
import type { Schedule, Triggers, Webhook } from "../Definition.ts"
import type { Shape } from "../Shape.ts"
import { byType, jsonObject, list, map } from "./collections.ts"
import { jsonSchema } from "./jsonSchema.ts"
import { defaulted, object, optional, required } from "./object.ts"
import { oneOf, text } from "./scalars.ts"

const noInputs: JsonObject = {}

const schedule: Shape<Schedule> = object(
  {
    cron: required(
      text("a cron expression"),
      "When: minute, hour, day of the month, month, day of the week; seconds may come first.",
    ),
    zone: defaulted(text("a time zone"), "UTC", "The time zone of `cron`, such as Europe/Berlin."),
    missed: defaulted(
      oneOf("once", "skip", "all"),
      "once",
      "Times that passed while no server ran: once starts one run, skip none, all one for each.",
    ),
    inputs: defaulted(
      jsonObject,
      noInputs,
      "Inputs of the run; values may hold expressions over `schedule.at`.",
    ),
  },
  {
    expected: 'a schedule such as { cron: "0 9 * * 1-5", zone: Europe/Berlin }',
    aliases: { at: "cron", expression: "cron", timezone: "zone", time_zone: "zone", tz: "zone" },
  },
)

const secretName = text("the name of a secret")

const secretNames = byType<ReadonlyArray<string>>(
  { string: map(secretName, (name) => [name]), list: list(secretName) },
  "the name of a secret, or two names",
  [],
)

const webhook: Shape<Webhook> = object(
  {
    secret: required(
      secretNames,
      "A name under `secrets`: the key that signs the requests. Two names while a key is exchanged: both are accepted.",
    ),
    body: optional(jsonSchema, "JSON Schema of the request's body, which types `body`."),
    inputs: optional(
      jsonObject,
      "Inputs of the run; values may hold expressions over `body`. Without it, the body is the inputs.",
    ),
  },
  {
    expected: "a webhook such as { secret: WEBHOOK_KEY }",
    aliases: { key: "secret", schema: "body", with: "inputs" },
  },
)

export const triggers: Shape<Triggers> = object(
  {
    schedule: defaulted(
      list(schedule, {
        expected: "a list of schedules",
        helpFor: (value) =>
          typeof value === "string" ? `write schedule: [{ cron: "${value}" }]` : undefined,
      }),
      [],
      "Times at which `planloom serve` starts a run.",
    ),
    webhook: optional(webhook, "Signed requests that start a run of a served workflow."),
  },
  {
    expected: 'triggers such as { schedule: [{ cron: "0 9 * * *" }] }',
    aliases: { schedules: "schedule", cron: "schedule", webhooks: "webhook", hook: "webhook" },
  },
)
