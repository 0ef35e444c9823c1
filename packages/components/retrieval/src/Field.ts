/** The fields of a document and their weights. */
import type { FieldWeight } from "./bm25.ts"

/** Fields in array order; unknown fields, such as texts about parameters, count as `other`. */
const fields = ["name", "group", "summary", "text", "keywords", "params", "other"] as const

type Field = (typeof fields)[number]

/** Tuned on public tool catalogs; results change little around these values (bench/narrowing.ts). */
const fieldWeights: { readonly [field in Field]: FieldWeight } = {
  name: { weight: 3, lengthPenalty: 0.3 },
  group: { weight: 1.5, lengthPenalty: 0.3 },
  summary: { weight: 1, lengthPenalty: 0.5 },
  text: { weight: 1, lengthPenalty: 0.5 },
  keywords: { weight: 1, lengthPenalty: 0.5 },
  params: { weight: 0.8, lengthPenalty: 0.5 },
  other: { weight: 0.4, lengthPenalty: 0.75 },
}

export const wordWeights: ReadonlyArray<FieldWeight> = fields.map((field) => fieldWeights[field])

/** Long texts match many grams by chance in any field. Grams of `text` are ignored: they would dominate. */
export const gramWeights: ReadonlyArray<FieldWeight> = fields.map((field) => ({
  weight: field === "text" ? 0 : fieldWeights[field].weight,
  lengthPenalty: 0.4,
}))

/** An example is one text without fields. */
export const exampleWeights: ReadonlyArray<FieldWeight> = [{ weight: 1, lengthPenalty: 0.5 }]

/** A document's texts in the order of `fields`. */
export const textsOf = (document: {
  readonly fields: { readonly [field: string]: string }
}): ReadonlyArray<string> => {
  const texts: Array<string> = fields.map(() => "")
  for (const [name, text] of Object.entries(document.fields)) {
    // What other libraries call a summary.
    const field = name === "description" ? "summary" : name
    const at = (fields as ReadonlyArray<string>).indexOf(field)
    const into = at === -1 ? fields.length - 1 : at
    texts[into] = texts[into] === "" ? text : `${texts[into]} ${text}`
  }
  return texts
}
