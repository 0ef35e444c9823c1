/** The validator `pii`: personal data in a text. */
import {
  isPhoneCountry,
  PII_LOOKBEHIND,
  piiFinder,
  piiKinds,
  type PiiFinder,
  type PiiKind,
} from "@planloom/pii"
import { validator } from "@planloom/plugin/effect"
import { actionSchema, findingOf, type Action } from "@planloom/review-kit"

interface Options {
  readonly kinds?: ReadonlyArray<PiiKind>
  readonly country?: string | ReadonlyArray<string>
  readonly allow?: ReadonlyArray<string>
  readonly action?: Action
}

const country = { type: "string", pattern: "^[A-Z]{2}$" } as const

export const pii = validator<Options>({
  id: "pii",
  summary: "Finds email addresses, phone numbers and numbers of bank accounts, cards and persons.",
  class: "safety",
  can: ["pass", "flag", "replace", "block"],
  window: piiFinder({ kinds: piiKinds }).longest,
  input: {
    type: "object",
    properties: {
      kinds: {
        type: "array",
        items: { enum: [...piiKinds] },
        minItems: 1,
        description: "What is searched; all but `ip` unless written.",
      },
      country: {
        anyOf: [country, { type: "array", items: country, minItems: 1 }],
        description:
          "Country of phone numbers without a prefix, one or a list; without it, only those with a prefix are found.",
      },
      allow: {
        type: "array",
        items: { type: "string", minLength: 1 },
        description: "Texts that may stand there, such as the address of the house.",
      },
      action: actionSchema("replace", "its kind, such as `[card]`,"),
    },
    additionalProperties: false,
  },
  rules: piiKinds,
  check: ({ country: given = [] }) =>
    [given].flat().flatMap((one, index) =>
      isPhoneCountry(one)
        ? []
        : [
            {
              code: "PII001",
              message: `"${one}" is not the code of a country with phone numbers`,
              at: typeof given === "string" ? ["country"] : ["country", index],
              fix: "write the code of ISO 3166, such as MX or US",
            },
          ],
    ),
  validate: (text, options) => {
    const { action = "replace", allow = [] } = options
    const found = finderOf(options)
      .find(text)
      .filter(({ end, start }) => !allow.includes(text.slice(start, end)))
      .map(({ end, kind, start }) => ({ start, end, what: kind, rule: kind }))
    return findingOf(found, "personal data", action)
  },
  pending: (text, options) => finderOf(options).pending(text),
  lookbehind: PII_LOOKBEHIND,
})

/** Finders, by options. */
const finders = new Map<string, PiiFinder>()

const finderOf = ({ country: given = [], kinds }: Options): PiiFinder => {
  const countries = typeof given === "string" ? [given] : given
  const key = JSON.stringify([kinds, countries])
  const finder = finders.get(key) ?? piiFinder({ countries, ...(kinds && { kinds }) })
  finders.set(key, finder)
  return finder
}
