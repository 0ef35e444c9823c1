/** The hook `ab_test`: a section of a prompt in the variant of an experiment. */
import * as Effect from "effect/Effect"
import { hook, StageFailed, type CallContext } from "@planloom/plugin/effect"

interface Options {
  readonly experiment: string
  readonly section: string
  readonly texts?: { readonly [variant: string]: string }
  readonly sections?: { readonly [variant: string]: string }
}

export const abTest = hook<"section_build", Options>({
  id: "ab_test",
  summary: "Replaces a section by that of the run's variant of an experiment.",
  point: "section_build",
  kind: "transform",
  priority: 90,
  input: {
    type: "object",
    properties: {
      experiment: {
        type: "string",
        minLength: 1,
        description: "An experiment of the workflow or a hook set.",
      },
      section: { type: "string", minLength: 1, description: "The section that varies." },
      texts: {
        type: "object",
        description: "Its text, by variant; unchanged for a variant that is not listed.",
        additionalProperties: { type: "string", minLength: 1 },
      },
      sections: {
        type: "object",
        description: "The prompt of the workflow that takes its place, by variant.",
        additionalProperties: { type: "string", minLength: 1 },
      },
    },
    required: ["experiment", "section"],
    additionalProperties: false,
  },
  run: ({ id }, context) => {
    const { section, texts } = context.with
    if (id !== section || texts === undefined) return undefined
    return inVariant(context, texts, (text) => ({ text }))
  },
  also: {
    pre_assembly: ({ sections }, context) => {
      const { section, sections: others } = context.with
      if (others === undefined || !sections.includes(section)) return undefined
      return inVariant(context, others, (other) => ({
        sections: sections.map((id) => (id === section ? other : id)),
      }))
    },
  },
})

const inVariant = <A>(
  { variant, with: { experiment } }: CallContext<Options>,
  values: { readonly [variant: string]: string },
  change: (value: string) => A,
): A | undefined | Effect.Effect<never, StageFailed> => {
  const assigned = variant(experiment)
  if (assigned === undefined) {
    return Effect.fail(
      new StageFailed({
        class: "invalid_request",
        message: `the workflow has no experiment "${experiment}"`,
      }),
    )
  }
  return Object.hasOwn(values, assigned) ? change(values[assigned]!) : undefined
}
