/** Documents with one bracket added, lost or changed, read with and without their schema: what becomes of their data, in percent. */
import { parse, type Options } from "@planloom/salvage"
import {
  BRACKET_OUTCOMES,
  bracketOutcomeOf,
  brokenDocuments,
} from "../../packages/engine/salvage/test/faults/bracketFaults.ts"
import { schemaOf } from "./lostClosers.ts"
import { diceOf, seen, unseen } from "./plans.ts"
import type { Row } from "./Row.ts"

type Document = Parameters<typeof brokenDocuments>[0][number]

const COUNT = 2000
const PLANS = 300

const plans = (make: typeof seen, from: number): ReadonlyArray<Document> =>
  Array.from({ length: PLANS }, (_, index) => make(diceOf(from + index)) as Document)

/** Objects and lists that the rows of the suites ask for, each once. */
const asked = (rows: ReadonlyArray<Row>): ReadonlyArray<Document> => {
  const texts = rows.flatMap(({ expected }) =>
    typeof expected === "object" && expected !== null && Object.keys(expected).length > 0
      ? [JSON.stringify(expected)]
      : [],
  )
  return [...new Set(texts)].map((text) => JSON.parse(text) as Document)
}

const modes: { readonly [name: string]: Options } = { accept: {}, refuse: { lossy: "refuse" } }

export const bracketTable = (
  rows: ReadonlyArray<Row>,
): ReadonlyArray<{ readonly name: string; readonly shares: ReadonlyArray<string> }> => {
  const sets = { suites: asked(rows), seen: plans(seen, 1), unseen: plans(unseen, 900_001) }
  return Object.entries(sets).flatMap(([set, documents]) => {
    const broken = documents.length === 0 ? [] : brokenDocuments(documents, COUNT)
    return [false, true].flatMap((isTyped) =>
      Object.entries(modes).map(([mode, options]) => {
        const outcomes = broken.map((each) =>
          bracketOutcomeOf(
            each,
            parse(each.text, isTyped ? schemaOf(each.truth) : undefined, options),
          ),
        )
        const shares = BRACKET_OUTCOMES.map((wanted) =>
          ((100 * outcomes.filter((each) => each === wanted).length) / COUNT).toFixed(2),
        )
        return { name: `${set}, ${mode}${isTyped ? ", schema" : ""}`, shares }
      }),
    )
  })
}

export { BRACKET_OUTCOMES }
