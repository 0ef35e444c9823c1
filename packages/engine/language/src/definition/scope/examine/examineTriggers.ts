/** Checks what starts runs of a workflow: times, secrets, and inputs with their expressions. */
import * as Cron from "effect/Cron"
import * as Result from "effect/Result"
import type { JsonObject, JsonSchema } from "@planloom/plugin/effect"
import { noProof, objectOf, string, typeOfSchema } from "@planloom/expression/check"
import type { Type } from "@planloom/expression/check"
import type { Definition, DocumentPath } from "../../Definition.ts"
import { inputSchema } from "../../inputSchema.ts"
import { closedSchema } from "../closedSchema.ts"
import type { Examination, Reading } from "./Examination.ts"

const CODE = "PL3012"

/** The one in use, and the one that it replaces or is replaced by. */
const MAX_SECRETS = 2

export const examineTriggers = (definition: Definition, examination: Examination): void => {
  const { on, secrets, user } = definition
  if (on === undefined) return
  const report = (path: DocumentPath, message: string, help: string): void =>
    void examination.problems.push({ code: CODE, message, path, help })
  if (user !== undefined) {
    report(["on"], "a trigger has no user, which this workflow declares", "remove `user` or `on`")
  }
  for (const [index, { cron, inputs, zone }] of on.schedule.entries()) {
    const path = ["on", "schedule", index]
    const parsed = Cron.parse(cron, zone)
    if (Result.isFailure(parsed)) {
      const { message } = parsed.failure
      if (/time zone/i.test(message)) {
        report([...path, "zone"], `there is no time zone "${zone}"`, "such as Europe/Berlin or UTC")
      } else {
        report([...path, "cron"], `this is no cron expression: ${message}`, 'such as "0 9 * * 1-5"')
      }
    } else if (neverDue(parsed.success)) {
      report([...path, "cron"], "no date fits this cron expression", 'such as "0 9 * * 1-5"')
    }
    const at = Object.keys(inputs).length === 0 ? path : [...path, "inputs"]
    examineInputs(inputs, at, "schedule", objectOf({ at: string }), definition, examination)
  }
  if (on.webhook === undefined) return
  const { body, inputs, secret } = on.webhook
  const path = ["on", "webhook", "secret"]
  if (secret.length === 0 || secret.length > MAX_SECRETS) {
    const count = secret.length === 0 ? "no secret" : `${secret.length} secrets`
    report(path, `a webhook has one secret or two, not ${count}`, "secret: [NEW_KEY, OLD_KEY]")
  }
  for (const [index, name] of secret.entries()) {
    if (secrets.includes(name)) continue
    report([...path, index], `the secret "${name}" is not declared`, `secrets: [${name}]`)
  }
  if (inputs === undefined && body === undefined) return
  examineInputs(
    inputs ?? "${{ body }}",
    ["on", "webhook", inputs === undefined ? "body" : "inputs"],
    "body",
    typeOfSchema(body ?? true),
    definition,
    examination,
  )
}

/** A date such as the 31st of February. */
const neverDue = (cron: Cron.Cron): boolean => {
  try {
    Cron.next(cron, new Date(0))
    return false
  } catch {
    return true
  }
}

const examineInputs = (
  inputs: JsonObject | string,
  path: DocumentPath,
  root: string,
  type: Type,
  definition: Definition,
  examination: Examination,
): void => {
  const reading: Reading = {
    environment: {
      roots: { [root]: { type, optional: false } },
      unknownRoot: (name) => ({
        code: "PL1101",
        message: `there is nothing called "${name}" here`,
        help: `the inputs of this trigger read ${root}`,
      }),
    },
    proof: noProof,
  }
  const schema: JsonSchema = closedSchema(inputSchema(definition))
  examination.value(inputs, path, reading, { schema, name: "the workflow", code: CODE })
}
