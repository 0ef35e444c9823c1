/** The hook `ab_test`: a section of a prompt in the variant of an experiment. */
import * as Effect from "effect/Effect"
import { hook, StageFailed, type CallContext } from "@planloom/plugin/effect"
import { languageOf, wordingIn, type Wording } from "@planloom/plugin/texts"

interface Options {
  readonly experiment: string
  readonly section: string
  readonly texts?: { readonly [variant: string]: Wording }
  readonly language?: string
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
        description:
          "Its text, by variant, or by variant and language; unchanged for a variant that is not listed.",
        additionalProperties: {
          anyOf: [
            { type: "string", minLength: 1 },
            {
              type: "object",
              minProperties: 1,
              additionalProperties: { type: "string", minLength: 1 },
            },
          ],
        },
      },
      language: {
        type: "string",
        description:
          "The language of `texts`, a BCP 47 tag; that of the user unless written or if it is empty.",
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
  edits: (options) => {
    const { section, sections, texts } = options as unknown as Options
    return [
      ...(texts === undefined ? [] : [{ section, does: "replace" as const, at: ["section"] }]),
      ...(sections === undefined
        ? []
        : [
            { section, does: "swap" as const, at: ["section"] },
            ...Object.entries(sections).map(([variant, other]) => ({
              section: other,
              does: "use" as const,
              at: ["sections", variant],
            })),
          ]),
    ]
  },
  run: ({ id }, context) => {
    const { language, section, texts } = context.with
    if (id !== section || texts === undefined) return undefined
    return inVariant(context, texts, (text) => ({
      text: wordingIn(text, language || languageOf(context.user)),
    }))
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

const inVariant = <A, Value>(
  { variant, with: { experiment } }: CallContext<Options>,
  values: { readonly [variant: string]: Value },
  change: (value: Value) => A,
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
