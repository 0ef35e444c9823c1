/** Answers to clarifying questions become claims, so that no question is put twice. */
import type { Claim } from "./Claim.ts"
import type { Choice, Question } from "./decide.ts"

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

/** The choice an answer names: by its label, by its number from 1, or as the only one whose label has these words. */
export const chosen = ({ choices }: Question, answer: string): Choice | undefined => {
  const said = plain(answer)
  if (said === "") return undefined
  const exact = choices.find(({ label }) => plain(label) === said)
  if (exact !== undefined) return exact
  if (/^\d+$/.test(said)) return choices[Number(said) - 1]
  const near = choices.filter(({ label }) => ` ${plain(label)} `.includes(` ${said} `))
  return near.length === 1 ? near[0] : undefined
}

/** Certain claims on every place of the words in question; none if the answer names no choice, or no words are in question. */
export const answerQuestion = (
  text: string,
  question: Question,
  answer: string,
): ReadonlyArray<Claim> => {
  const choice = chosen(question, answer)
  if (choice === undefined || question.about === "") return []
  const claims: Array<Claim> = []
  for (
    let at = text.indexOf(question.about);
    at >= 0;
    at = text.indexOf(question.about, at + question.about.length)
  )
    claims.push({
      start: at,
      end: at + question.about.length,
      by: "answer",
      certain: true,
      used: choice.used,
      note: `"${question.about}" means ${choice.label}`,
    })
  return claims
}
