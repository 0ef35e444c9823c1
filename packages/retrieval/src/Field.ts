/** The parts of a document, and how much each of them counts. */
import type { FieldWeight } from "./bm25.ts"

/** A field's place in the arrays; what has no name here goes to `other`, for example texts about parameters. */
const fields = ["name", "group", "summary", "text", "keywords", "params", "other"] as const

type Field = (typeof fields)[number]

/** Tuned on public tool catalogues; the numbers are flat around here (bench/narrowing.ts). */
const worth: { readonly [field in Field]: FieldWeight } = {
  name: { weight: 3, evening: 0.3 },
  group: { weight: 1.5, evening: 0.3 },
  summary: { weight: 1, evening: 0.5 },
  text: { weight: 1, evening: 0.5 },
  keywords: { weight: 1, evening: 0.5 },
  params: { weight: 0.8, evening: 0.5 },
  other: { weight: 0.4, evening: 0.75 },
}

export const wordWeights: ReadonlyArray<FieldWeight> = fields.map((field) => worth[field])

/** A long text has many grams by chance, whichever field it is in. Those of `text` count nothing: they would be most. */
export const gramWeights: ReadonlyArray<FieldWeight> = fields.map((field) => ({
  weight: field === "text" ? 0 : worth[field].weight,
  evening: 0.4,
}))

/** An example has one text and no fields. */
export const exampleWeights: ReadonlyArray<FieldWeight> = [{ weight: 1, evening: 0.5 }]

/** A document's texts in the order of `fields`. */
export const textsOf = (document: {
  readonly fields: { readonly [field: string]: string }
}): ReadonlyArray<string> => {
  const texts: Array<string> = fields.map(() => "")
  for (const [name, text] of Object.entries(document.fields)) {
    const at = (fields as ReadonlyArray<string>).indexOf(name)
    const into = at === -1 ? fields.length - 1 : at
    texts[into] = texts[into] === "" ? text : `${texts[into]} ${text}`
  }
  return texts
}
