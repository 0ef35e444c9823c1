/** An experiment as written, and its shape. */
import type { ExperimentUnit, JsonSchema, Problem } from "@planloom/plugin/effect"

export interface Experiment {
  /** Percentages, by variant; the first is the control. */
  readonly variants: { readonly [variant: string]: number }
  readonly unit?: ExperimentUnit
  readonly salt?: string
  readonly sticky?: boolean
}

export interface Experiments {
  readonly [name: string]: Experiment
}

const NAME = "^[a-z][a-z0-9_]*$"

export const experimentsSchema: JsonSchema = {
  type: "object",
  propertyNames: { pattern: NAME },
  additionalProperties: {
    type: "object",
    properties: {
      variants: {
        type: "object",
        description:
          "Percentages of the units, by variant; they add up to 100. The first is the control.",
        propertyNames: { pattern: NAME },
        additionalProperties: { type: "integer", minimum: 0, maximum: 100 },
        minProperties: 2,
      },
      unit: {
        enum: ["user", "session", "run"],
        description:
          "Who keeps a variant: `user.id` (the default), the session, or each run by itself.",
      },
      salt: {
        type: "string",
        minLength: 1,
        description:
          "Hashed with the unit. The name of the experiment unless written; experiments with one salt assign alike.",
      },
      sticky: {
        type: "boolean",
        description:
          "A unit keeps its variant when the percentages change: it is kept in the store of runs.",
      },
    },
    required: ["variants"],
    additionalProperties: false,
  },
}

export const unitOf = ({ unit = "user" }: Experiment): ExperimentUnit => unit

/** Problems that the schema cannot say. */
export const experimentProblems = (
  experiments: Experiments,
  workflow: { readonly hasUserId: boolean; readonly hasSession: boolean },
): ReadonlyArray<Problem> =>
  Object.entries(experiments).flatMap(([name, experiment]) => {
    const unit = unitOf(experiment)
    const sum = Object.values(experiment.variants).reduce((total, share) => total + share, 0)
    const problems: Array<Problem> = []
    if (sum !== 100) {
      problems.push({
        code: "EXPERIMENT01",
        message: `the percentages of "${name}" add up to ${sum}`,
        at: [name, "variants"],
        fix: "they must add up to 100",
      })
    }
    if (unit === "user" && !workflow.hasUserId) {
      problems.push({
        code: "EXPERIMENT02",
        message: `"${name}" assigns by \`user.id\`, and the workflow declares no such user`,
        at: experiment.unit === undefined ? [name] : [name, "unit"],
        fix: "declare `user: { type: object, properties: { id: { type: string } } }`, or write `unit: run`",
      })
    }
    if (unit === "session" && !workflow.hasSession) {
      problems.push({
        code: "EXPERIMENT03",
        message: `"${name}" assigns by session, and the workflow declares none`,
        at: [name, "unit"],
        fix: "declare `session:`, or write `unit: run`",
      })
    }
    if (unit === "run" && experiment.sticky === true) {
      problems.push({
        code: "EXPERIMENT04",
        message: `"${name}" cannot keep the variant of a run: the next run is another unit`,
        at: [name, "sticky"],
        fix: "remove `sticky`, or write `unit: user`",
      })
    }
    return problems
  })
