/** The understanding gate: carry out a plan, ask, or refuse. */
import type { Use } from "./Claim.ts"
import { openPhrases, unbacked, uncertainClaims, type PlanPart, type Reading } from "./Reading.ts"

/** One accepted answer to a question, and what the words in question are then used for. */
export interface Choice {
  readonly label: string
  readonly used: Use
}

/** A question about words of the request. */
export interface Question {
  /** The words as written; empty for a question about what the request leaves out. */
  readonly about: string
  readonly text: string
  /** Accepted answers; empty if any text is one. */
  readonly choices: ReadonlyArray<Choice>
}

export type Decision =
  /** `without`: optional parts to leave out, because no word asks for them; `notes`: interpretations, for people. */
  | {
      readonly type: "go"
      readonly without: ReadonlyArray<PlanPart>
      readonly notes: ReadonlyArray<string>
    }
  | { readonly type: "ask"; readonly question: Question }
  | { readonly type: "refuse"; readonly reason: string }

export interface Proposal {
  readonly reading: Reading
  readonly parts: ReadonlyArray<PlanPart>
  /** What words may mean, best first; empty if nothing is near. */
  readonly choicesFor: (words: string) => ReadonlyArray<Choice>
  /** Words that a question was put about before: they are never asked about again. */
  readonly asked: ReadonlyArray<string>
}

/** Choices of one question: as many as a person reads at a glance. */
const MAX_CHOICES = 6

const quoted = (texts: ReadonlyArray<string>): string => texts.map((text) => `"${text}"`).join(", ")

/**
 * Two-sided: every word with content has a use, and every part of the plan is backed by a word. A plan that writes
 * needs settled words, too: there an interpretation is confirmed first.
 */
export const decide = ({ asked, choicesFor, parts, reading }: Proposal): Decision => {
  const phrases = openPhrases(reading)
  for (const { text } of phrases) {
    const choices = choicesFor(text).slice(0, MAX_CHOICES)
    if (choices.length > 0 && !asked.includes(text))
      return { type: "ask", question: about(text, choices) }
  }
  if (phrases.length > 0)
    return { type: "refuse", reason: `not understood: ${quoted(phrases.map(({ text }) => text))}` }
  const invented = unbacked(reading, parts)
  const needed = invented.filter(({ optional }) => optional !== true)
  if (needed.length > 0) {
    const labels = needed.map(({ label }) => label).join(", ")
    return { type: "refuse", reason: `the request does not ask for ${labels}` }
  }
  const uncertain = uncertainClaims(reading)
  const [first] = uncertain
  if (first !== undefined && parts.some(({ writes }) => writes === true)) {
    const words = reading.text.slice(first.start, first.end)
    return asked.includes(words)
      ? { type: "refuse", reason: `not certain: ${quoted([words])}` }
      : { type: "ask", question: confirming(words, first.note, first.used) }
  }
  const notes = uncertain.flatMap(({ note }) => (note === undefined ? [] : [note]))
  return { type: "go", without: invented, notes: [...new Set(notes)] }
}

const about = (words: string, choices: ReadonlyArray<Choice>): Question => ({
  about: words,
  text: `What does "${words}" mean here: ${choices.map(({ label }) => label).join(", ")}?`,
  choices,
})

const confirming = (words: string, note: string | undefined, used: Use): Question => ({
  about: words,
  text: `${note ?? `"${words}" is not certain`}. Is this right?`,
  choices: [{ label: "yes", used }],
})
