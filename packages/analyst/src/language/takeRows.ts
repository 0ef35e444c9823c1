/** What people call the rows of a table: "how many cars", "top 10 movies". */
import type { Reading } from "./Reading.ts"
import type { Mention } from "./findMentions.ts"
import { EXACT } from "./matchColumns.ts"
import { singular } from "./tokens.ts"

/** Columns of numbers or texts that only tell rows apart. */
const tellsApart = (name: string): boolean => /(^|[^a-z])(id|key|no|uuid|guid)$/i.test(name)

/** "tickets" for a column "ticket id" means the rows, not the numbers. */
export const meansRows = (mention: Mention): boolean =>
  mention.value === undefined &&
  mention.quality < EXACT &&
  mention.columns.every(({ name }) => tellsApart(name))

/**
 * Takes the noun at a place when it is the usual word for rows, or a word that no column has and no
 * usual concept is; gives where it ends.
 */
export const takeRows = (reading: Reading, at: number): number | undefined => {
  const { lexicon } = reading
  const usual = reading.phrase(at, lexicon.rows)
  const mention = reading.mention(at)
  if (mention !== undefined && !meansRows(mention)) return undefined
  if (mention === undefined && usual !== undefined) {
    reading.take(at, at + usual.length)
    return at + usual.length
  }
  const token = reading.tokens[at]
  if (token === undefined || token.kind !== "word" || reading.isTaken(at)) return undefined
  const spoken = [lexicon.silent, lexicon.analysis, lexicon.grains, lexicon.outputs, lexicon.charts]
  if (mention === undefined && spoken.some((book) => reading.phrase(at, book) !== undefined)) {
    return undefined
  }
  // A customer or a price is a thing of its own: the table lacks it.
  if (mention === undefined && lexicon.synonyms.has(token.stem)) return undefined
  // Rows have one name; a second strange word is something else.
  const { rowWord } = reading
  if (rowWord !== undefined && singular(rowWord.toLowerCase()) !== token.stem) return undefined
  const end = mention?.end ?? at + 1
  reading.take(at, end)
  reading.rowWord ??= token.text
  return end
}
