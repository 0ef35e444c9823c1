/** Compiles what starts runs of a workflow: the inputs that its triggers give. */
import { compileValue } from "@planloom/expression"
import { validatorOf } from "@planloom/schema/ajv"
import type { Definition } from "@planloom/language"
import type { PipelineTriggers } from "../Pipeline.ts"

export const compileTriggers = ({ on }: Definition): PipelineTriggers | undefined =>
  on && {
    schedules: on.schedule.map(({ inputs, ...rest }) => ({
      ...rest,
      inputs: compileValue(inputs),
    })),
    webhook: on.webhook && {
      secrets: on.webhook.secret,
      validate: validatorOf(on.webhook.body ?? true),
      inputs: compileValue(on.webhook.inputs ?? "${{ body }}"),
    },
  }
