/** The validator `injection`: requests, and data beside them, that try to replace the instructions of a model. */
import {
  validator,
  type CallRecord,
  type Finding,
  type Json,
  type SessionTurn,
} from "@planloom/plugin/effect"
import { findingOf, phraseSchema, type Found } from "@planloom/review-kit"
import { attackRules, attacksIn, attacksOf } from "@planloom/review-kit/injection"

interface Options {
  readonly phrases?: ReadonlyArray<string>
  readonly read?: ReadonlyArray<"request" | "data">
}

/** The rule of a finding in the data, beside that of the attack. */
const IN_DATA = "in_data"

/** Characters of the given data, and of results of calls, that are read: the time of a review has a bound. */
const MAX_DATA = 1_000_000

export const injection = validator<Options>({
  id: "injection",
  summary: "Flags requests, and data, that try to replace the instructions of a model.",
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
      read: {
        type: "array",
        items: { enum: ["request", "data"] },
        minItems: 1,
        uniqueItems: true,
        description:
          "`data`: the values that the stage is given, such as rows and passages, and what the calls of the run have brought back; the request alone unless written.",
      },
    },
    additionalProperties: false,
  },
  rules: [...attackRules, IN_DATA],
  validate: (text, { phrases = [], read = ["request"] }, { calls, data, turns }) => {
    const attacks = attacksOf(phrases)
    const found = read.includes("request")
      ? [...attacksIn(text, attacks), ...splitAttacks(text, turns, attacks.in)]
      : []
    const beside = read.includes("data")
      ? textsBeside(text, data, calls).flatMap((one) => attacksIn(one, attacks))
      : []
    const finding = withData(findingOf(found, subject, "flag"), beside)
    return finding.verdict === "pass" ? finding : { ...finding, confidence: 0.7 }
  },
})

const subject = "signs of an attack on the instructions"

/** Findings in data have no place in the text. */
const withData = (finding: Finding, beside: ReadonlyArray<Found>): Finding => {
  if (beside.length === 0) return finding
  const {
    issues = [],
    reason,
    rules = [],
    spans: _,
    ...others
  } = findingOf(beside, subject, "flag")
  const ofText = finding.verdict === "pass" ? undefined : finding
  return {
    ...others,
    reason: [ofText?.reason, reason.replace("the text has", "the data has")]
      .filter((one) => one !== undefined)
      .join("; "),
    issues: [...(ofText?.issues ?? []), ...issues.map((one) => `${one}, in the data`)],
    rules: [...new Set([...(ofText?.rules ?? []), ...rules, IN_DATA])],
    ...(ofText?.spans !== undefined && { spans: ofText.spans }),
  }
}

/**
 * Texts and names in the data and in results of calls, each once, but the request, which is read already. The newest results
 * come first: each turn of an agent is reviewed with those of the turns before.
 */
const textsBeside = (
  request: string,
  data: Json,
  calls: ReadonlyArray<CallRecord>,
): ReadonlyArray<string> => {
  const texts = new Set<string>()
  const results = calls.toReversed().flatMap(({ error = null, result = null }) => [result, error])
  for (const values of [[data], results]) {
    let left = MAX_DATA
    const open = values.toReversed()
    // No recursion: a value may be nested deeply.
    while (open.length > 0 && left > 0) {
      const value = open.pop()!
      if (typeof value === "string") {
        if (value === request || texts.has(value)) continue
        texts.add(value.slice(0, left))
        left -= value.length
      } else if (typeof value === "object" && value !== null) {
        const inside = Array.isArray(value) ? value : Object.entries(value).flat()
        for (let at = inside.length - 1; at >= 0; at--) open.push(inside[at] as Json)
      }
    }
  }
  return [...texts]
}

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
