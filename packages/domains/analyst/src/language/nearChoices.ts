/** What words that were not understood may mean in this table, best first. */
import type { Reading } from "./Reading.ts"
import type { TableChoice } from "./TableQuestion.ts"
import { identifiesRows, isMeasurable } from "./columnKinds.ts"
import { choices } from "./TableQuestion.ts"
import { matchColumns } from "./matchColumns.ts"
import { tokenize } from "./tokens.ts"

/** Columns and values offered; with the rows and leaving out they are as many as one question shows. */
const MAX_NEAR = 4

const rows: TableChoice = { label: "the rows", says: "rows" }

export const nearChoices = (
  words: string,
  { lexicon, profile }: Reading,
): ReadonlyArray<TableChoice> => {
  const stems = tokenize(words).flatMap(({ kind, stem }) => (kind === "word" ? [stem] : []))
  const matched = stems.flatMap((stem) => matchColumns([stem], stem, lexicon)?.columns ?? [])
  const values = lexicon.values.filter(({ stems: of }) => of.some((part) => stems.includes(part)))
  const measures = profile.columns.filter(
    (one) => isMeasurable(one) && !identifiesRows(one, profile.rows),
  )
  const names = [
    ...matched.map(({ name }) => name),
    ...values.map(({ value }) => value),
    ...measures.map(({ name }) => name),
  ]
  return [...choices([...new Set(names)].slice(0, MAX_NEAR)), rows]
}
