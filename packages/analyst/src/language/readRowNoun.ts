/** Reads the noun for the rows of a table: "how many cars", "top 10 movies". */
import { isIdentifierName } from "./columnKinds.ts"
import type { Reading } from "./Reading.ts"
import type { Mention } from "./findMentions.ts"
import { EXACT } from "./matchColumns.ts"
import { singular } from "./tokens.ts"

/** "tickets" for a column "ticket id" means the rows, not the numbers. */
export const meansRows = (mention: Mention): boolean =>
  mention.value === undefined &&
  mention.quality < EXACT &&
  mention.columns.every(({ name }) => isIdentifierName(name))

/**
 * Claims the noun at an index if it is a usual word for rows, or a word that is neither in a column nor a
 * common concept; returns its end.
 */
export const readRowNoun = (reading: Reading, at: number): number | undefined => {
  const { lexicon } = reading
  const usual = reading.phrase(at, lexicon.rows)
  const mention = reading.mention(at)
  if (mention !== undefined && !meansRows(mention)) return undefined
  if (mention === undefined && usual !== undefined) {
    reading.claim("rows", at, at + usual.length)
    return at + usual.length
  }
  const token = reading.tokens[at]
  if (token === undefined || token.kind !== "word" || reading.isTaken(at)) return undefined
  const spoken = [lexicon.common, lexicon.analysis, lexicon.grains, lexicon.outputs, lexicon.charts]
  if (mention === undefined && spoken.some((book) => reading.phrase(at, book) !== undefined)) {
    return undefined
  }
  // A customer or a price is a concept of its own, which the table lacks.
  if (mention === undefined && lexicon.synonyms.has(token.stem)) return undefined
  // Rows have one noun; a second unknown word is something else.
  const { rowWord } = reading
  if (rowWord !== undefined && singular(rowWord.toLowerCase()) !== token.stem) return undefined
  const end = mention?.end ?? at + 1
  reading.claim("rows", at, end)
  if (mention === undefined) reading.doubt(at, end)
  reading.rowWord ??= token.text
  return end
}
