/** An experiment as written, and its shape. */
import type { ExperimentUnit, JsonSchema, Problem } from "@planloom/plugin/effect"
import type { Range } from "./unitNumber.ts"

export interface Experiment {
  /** Percentages, by variant; the first is the control. */
  readonly variants: { readonly [variant: string]: number }
  readonly unit?: ExperimentUnit
  readonly salt?: string
  readonly sticky?: boolean
  /** The share of units in the experiment: `10%`. */
  readonly ramp?: string
  readonly namespace?: Namespace
  /** Units that have a variant whatever their hash, by variant. */
  readonly force?: { readonly [variant: string]: ReadonlyArray<string | number> }
  /** CEL over the outputs and the status of a run. */
  readonly outcome?: string
}

/** A part of the units that experiments divide among themselves, in percent. */
export interface Namespace extends Range {
  readonly name: string
}

export interface Experiments {
  readonly [name: string]: Experiment
}

const NAME = "^[a-z][a-z0-9_]*$"

const percent = (description: string): JsonSchema => ({
  type: "integer",
  minimum: 0,
  maximum: 100,
  description,
})

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
      ramp: {
        type: "string",
        pattern: "^(100|[1-9]?[0-9])%$",
        description:
          "The share of units in the experiment, such as `10%`; the others have the control. Raising it moves no unit to another variant.",
      },
      namespace: {
        type: "object",
        description:
          "A part of the units that experiments divide among themselves: each unit is in one of them at most.",
        properties: {
          name: { type: "string", minLength: 1, description: "Shared by these experiments." },
          from: percent("Where the experiment's part begins, in percent."),
          to: percent("Where it ends."),
        },
        required: ["name", "from", "to"],
        additionalProperties: false,
      },
      force: {
        type: "object",
        description:
          "Units that have a variant whatever their hash, by variant; no outcome counts them.",
        additionalProperties: { type: "array", items: { type: ["string", "integer"] } },
      },
      outcome: {
        type: "string",
        format: "cel",
        description:
          "What `planloom experiments report` compares: true or false, or a number, of `outputs` and `status`.",
      },
    },
    required: ["variants"],
    additionalProperties: false,
  },
}

export const unitOf = ({ unit = "user" }: Pick<Experiment, "unit">): ExperimentUnit => unit

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
    for (const variant of Object.keys(experiment.force ?? {})) {
      if (Object.hasOwn(experiment.variants, variant)) continue
      problems.push({
        code: "EXPERIMENT05",
        message: `"${name}" has no variant "${variant}"`,
        at: [name, "force", variant],
        fix: `its variants are: ${Object.keys(experiment.variants).join(", ")}`,
      })
    }
    return [...problems, ...namespaceProblems(name, experiment, experiments)]
  })

/** Two experiments of a namespace must divide units of one kind, and share none. */
const namespaceProblems = (
  name: string,
  experiment: Experiment,
  experiments: Experiments,
): ReadonlyArray<Problem> => {
  const { namespace } = experiment
  if (namespace === undefined) return []
  const at = [name, "namespace"]
  if (namespace.from >= namespace.to) {
    return [
      {
        code: "EXPERIMENT06",
        message: `the part of "${name}" in "${namespace.name}" is empty`,
        at,
        fix: "`from` must be less than `to`",
      },
    ]
  }
  const earlier = Object.entries(experiments).slice(0, Object.keys(experiments).indexOf(name))
  const foreign = earlier.find(
    ([, one]) => one.namespace?.name === namespace.name && unitOf(one) !== unitOf(experiment),
  )
  if (foreign !== undefined) {
    return [
      {
        code: "EXPERIMENT07",
        message: `"${name}" divides the namespace "${namespace.name}" by ${unitOf(experiment)}, and "${foreign[0]}" by ${unitOf(foreign[1])}`,
        at,
        fix: "one namespace divides units of one kind: a user in one of them may have a session in the other",
      },
    ]
  }
  const other = earlier.find(
    ([, { namespace: one }]) =>
      one?.name === namespace.name && one.from < namespace.to && namespace.from < one.to,
  )
  return other === undefined
    ? []
    : [
        {
          code: "EXPERIMENT06",
          message: `"${name}" and "${other[0]}" share units of the namespace "${namespace.name}"`,
          at,
          fix: "divide 0 … 100 between them",
        },
      ]
}
