/** The validator `secrets`: keys, tokens and passwords in a text. */
import { plainText } from "@planloom/pii"
import { validator } from "@planloom/plugin/effect"
import { actionSchema, findingOf, type Action } from "@planloom/review-kit"
import {
  findSecrets,
  LONGEST_SECRET,
  SECRET_LOOKBEHIND,
  openSecret,
  secretKinds,
  type SecretPattern,
} from "../secrets/findSecrets.ts"

interface Options {
  readonly patterns?: ReadonlyArray<SecretPattern>
  readonly allow?: ReadonlyArray<string>
  readonly action?: Action
}

export const secrets = validator<Options>({
  id: "secrets",
  summary: "Finds keys and tokens of services, private keys, and passwords.",
  class: "safety",
  can: ["pass", "flag", "replace", "block"],
  window: LONGEST_SECRET,
  input: {
    type: "object",
    properties: {
      patterns: {
        type: "array",
        items: {
          type: "object",
          properties: {
            name: { type: "string", minLength: 1, description: "What it is, for reports." },
            pattern: {
              type: "string",
              minLength: 1,
              format: "regex",
              description:
                "A regular expression without look-around and back-references; matches have at most 256 characters.",
            },
          },
          required: ["name", "pattern"],
          additionalProperties: false,
        },
        description: "Further formats, such as that of the house's own keys.",
      },
      allow: {
        type: "array",
        items: { type: "string", minLength: 1 },
        description: "Texts that may stand there, such as the key of an example.",
      },
      action: actionSchema("replace", "its kind, such as `[GitHub token]`,"),
    },
    additionalProperties: false,
  },
  rules: ({ patterns = [] }) => [...secretKinds, ...patterns.map(({ name }) => name)],
  validate: (written, { action = "replace", allow = [], patterns = [] }) => {
    const { endOf, startOf, text } = plainText(written)
    const found = findSecrets(text, patterns)
      .filter(({ end, start }) => !allow.includes(text.slice(start, end)))
      .map(({ end, start, what }) => ({ start: startOf(start), end: endOf(end), what, rule: what }))
    return findingOf(found, "secrets", action)
  },
  pending: (written, { patterns = [] }) => {
    const { startOf, text } = plainText(written)
    return startOf(openSecret(text, patterns.length > 0))
  },
  lookbehind: SECRET_LOOKBEHIND,
})
