/** Questions with the answers they accept, and the one that an answer names. */

/** One accepted answer. */
export interface Choice {
  readonly label: string
}

export interface Question<C extends Choice = Choice> {
  /** The words in question, as written; empty for a question about what the request leaves out. */
  readonly about: string
  readonly text: string
  /** Accepted answers; empty if any text is one. */
  readonly choices: ReadonlyArray<C>
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

/** The choice an answer names: by its label, by its number from 1, or as the only one whose label has these words. */
export const chosen = <C extends Choice>(
  { choices }: Pick<Question<C>, "choices">,
  answer: string,
): C | undefined => {
  const said = plain(answer)
  if (said === "") return undefined
  const exact = choices.find(({ label }) => plain(label) === said)
  if (exact !== undefined) return exact
  if (/^\d+$/.test(said)) return choices[Number(said) - 1]
  const near = choices.filter(({ label }) => ` ${plain(label)} `.includes(` ${said} `))
  return near.length === 1 ? near[0] : undefined
}
