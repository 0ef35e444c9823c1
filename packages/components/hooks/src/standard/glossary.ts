/** The hook `glossary`: words of the house and what they mean. */
import { textHook } from "./addText.ts"

export const glossary = textHook<{
  readonly terms: { readonly [term: string]: string }
  readonly intro?: string
}>({
  id: "glossary",
  summary: "Adds terms and their meanings.",
  properties: {
    terms: {
      type: "object",
      description: "Meanings, by term.",
      additionalProperties: { type: "string", minLength: 1 },
      minProperties: 1,
    },
    intro: {
      type: "string",
      minLength: 1,
      description: "The line before the terms, in place of the usual one.",
    },
  },
  required: ["terms"],
  stable: true,
  text: ({ with: { intro = "Use these terms in these meanings:", terms } }) =>
    [
      intro,
      ...Object.entries(terms)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([term, meaning]) => `- ${term}: ${meaning}`),
    ].join("\n"),
})
