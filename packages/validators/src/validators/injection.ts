/** The validator `injection`: requests that try to replace the instructions of a model. */
import { validator, type SessionTurn } from "@planloom/plugin/effect"
import { findingOf, phraseSchema, type Found } from "@planloom/review-kit"
import { attackRules, attacksIn, attacksOf } from "@planloom/review-kit/injection"

interface Options {
  readonly phrases?: ReadonlyArray<string>
}

export const injection = validator<Options>({
  id: "injection",
  summary: "Flags requests that try to replace the instructions of a model.",
  class: "safety",
  // Patterns miss most attacks and hit some harmless requests: enough for a report, too little for a block.
  can: ["pass", "flag"],
  at: "input",
  input: {
    type: "object",
    properties: {
      phrases: {
        type: "array",
        items: phraseSchema,
        description:
          "Further phrases. `ignor*` is the start of a word, `rules|orders` are alternatives, `...` is up to three words.",
      },
    },
    additionalProperties: false,
  },
  rules: attackRules,
  validate: (text, { phrases = [] }, { turns }) => {
    const attacks = attacksOf(phrases)
    const found = [...attacksIn(text, attacks), ...splitAttacks(text, turns, attacks.in)]
    const finding = findingOf(found, "signs of an attack on the instructions", "flag")
    return finding.verdict === "pass" ? finding : { ...finding, confidence: 0.7 }
  },
})

/** Characters of earlier requests that are read with a request. */
const MAX_EARLIER = 480

/** Attacks that one request starts and the next completes, cut between words or inside one. */
const splitAttacks = (
  text: string,
  turns: ReadonlyArray<SessionTurn>,
  findIn: (text: string) => ReadonlyArray<Found>,
): ReadonlyArray<Found> => {
  const earlier = turns.map(({ user }) => user.replace(/[\s.,;:!?…"'»]{1,40}$/u, ""))
  return ["", " "].flatMap((separator) => {
    const before = `${earlier.join(separator)}${separator}`.slice(-MAX_EARLIER)
    if (before.trim() === "") return []
    return findIn(`${before}${text}`).flatMap((one) =>
      one.start < before.trimEnd().length && one.end > before.length
        ? [
            {
              ...one,
              start: 0,
              end: one.end - before.length,
              what: `${one.what}, over several requests`,
            },
          ]
        : [],
    )
  })
}
