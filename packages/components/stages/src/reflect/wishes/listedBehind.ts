/** Whether a clause is listed behind the one before it, so that what excludes that one excludes it: "without prices and pairs". */
import type { Word } from "@planloom/planning/reading"
import type { Clause } from "./clauses.ts"
import type { Mark } from "./marks.ts"
import type { Phrases } from "./phrases.ts"
import { isInCapitals } from "./spokenNames.ts"

/**
 * A list has no verb, and behind a comma an end: "or" behind a negation, as "and" leads on from it in English
 * ("no fees, prices and pairs, please"); either behind a waiver ("skip the fees, prices and pairs"), unless it says of what ("skip the fees, price and pairs of PEPE").
 */
export const listedBehind = (
  clauses: ReadonlyArray<Clause>,
  index: number,
  { isWaiver }: Mark,
  phrases: ListWords,
): boolean => {
  const [first] = clauses.slice(index)
  if (first!.joint === "and" && isList(first!, phrases)) return true
  for (const clause of clauses.slice(index)) {
    if (isWaiver && isAlternative(clause, phrases)) return true
    if (clause.joint === "start" || clause.joint === "next" || !isList(clause, phrases))
      return false
    if (hasAlternative(clause, phrases)) return true
    if (isWaiver && clause.joint !== "comma") return !clause.words.some(isNamed)
  }
  return false
}

type ListWords = Pick<Phrases, "echoes" | "links" | "resumes">

/** "I don't care what it costs, or if it is safe". */
const isAlternative = (
  { joint, words: [or, next] }: Clause,
  { echoes, links }: ListWords,
): boolean =>
  joint !== "start" &&
  joint !== "next" &&
  or !== undefined &&
  (links.has(or.word) || echoes.has(or.word)) &&
  next?.isOperator === true

/** "Scam check" is a noun, "check scams" has a verb. */
export const isList = ({ words }: Clause, { links, resumes }: ListWords): boolean =>
  words.every(
    ({ isNegation, isOperator, isQuestion, isRequest, word }, at) =>
      !isOperator ||
      (isQuestion && at === 0 && words[1]?.isContent === true) ||
      links.has(word) ||
      (isNegation && !resumes.has(word)) ||
      (isRequest && words[at - 1]?.isContent === true),
  )

const hasAlternative = ({ words }: Clause, { echoes, links }: ListWords): boolean =>
  words.some(({ isOperator, word }) => isOperator && (links.has(word) || echoes.has(word)))

const isNamed = (word: Word): boolean => isInCapitals(word) || /\p{N}/u.test(word.text)
