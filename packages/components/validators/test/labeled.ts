/** Sentences labeled as commitments or as honest, written by someone who had not seen the rules, and how many are blocked. */
import { readFileSync } from "node:fs"

interface Row {
  readonly language: string
  readonly label: "commitment" | "honest"
  readonly text: string
}

export interface Score {
  readonly language: string
  readonly commitments: number
  readonly found: number
  readonly honest: number
  readonly wrong: number
}

/** `seen`: the rules were written, and the likeness trained, with these sentences in view; `unseen`: neither was, when they were scored. */
export type Half = "seen" | "unseen"

export const halves: ReadonlyArray<Half> = ["seen", "unseen"]

/** Scores of one half by language. */
export const scoresOf = (
  half: Half,
  isBlocked: (text: string) => boolean,
): ReadonlyArray<Score> => {
  const path = new URL(`data/promises.${half}.jsonl`, import.meta.url)
  const rows = readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Row => JSON.parse(line))
  return ["en", "es"].map((language) => {
    const own = rows.filter((row) => row.language === language)
    const commitments = own.filter(({ label }) => label === "commitment")
    const honest = own.filter(({ label }) => label === "honest")
    const blocked = (some: ReadonlyArray<Row>): number =>
      some.filter(({ text }) => isBlocked(text)).length
    return {
      language,
      commitments: commitments.length,
      found: blocked(commitments),
      honest: honest.length,
      wrong: blocked(honest),
    }
  })
}

export const sum = (scores: ReadonlyArray<Score>, key: Exclude<keyof Score, "language">): number =>
  scores.reduce((total, one) => total + one[key], 0)
