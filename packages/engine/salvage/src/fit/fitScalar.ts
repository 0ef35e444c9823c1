/** Fits strings, numbers, booleans and null, and values that convert to one without guessing. */
import { isContainer, type Node } from "../read/Node.ts"
import { changed, COST, type Fit, fits, mismatch } from "./Fit.ts"
import { foldText } from "./fold.ts"
import type { FitContext } from "./FitContext.ts"
import type { ObjectSchema } from "./Schema.ts"
import { toDate } from "./toDate.ts"

export const fitString = (fitter: FitContext, node: Node, schema: ObjectSchema): Fit => {
  if (node.kind === "string") {
    const text = node.value as string
    const date =
      node.closed && schema.format !== undefined ? toDate(text, schema.format) : undefined
    return date === undefined || date === text
      ? fits(text)
      : changed("to_date", node, date, COST.scalar, text)
  }
  if (node.value === null) return mismatch(node, "must be text, not null")
  // The source text, so that nothing is lost.
  return changed(
    "to_string",
    node,
    fitter.sourceOf(node),
    isContainer(node) ? COST.shape : COST.scalar,
  )
}

const GROUPED = /^[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/
const CONTINENTAL = /^[-+]?\d{1,3}(?:\.\d{3})+,\d+$/
const PLAIN = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/
const FRACTION = /^([-+]?\d+(?:\.\d+)?)\s*\/\s*(\d+(?:\.\d+)?)$/
const CURRENCY = /^([-+]?)\s*(?:[$€£¥₹]|USD|EUR|GBP)\s*(?=[-+\d.])|\s*(?:[$€£¥₹]|USD|EUR|GBP)$/g

/** Parses `12`, `1,234.5`, `1.234,5`, `$12`, `1/5`. Units and percent are rejected: their meaning is a guess. */
const toNumber = (text: string): number | undefined => {
  const bare = text.trim().replace(CURRENCY, "$1")
  if (PLAIN.test(bare)) return Number(bare)
  if (GROUPED.test(bare)) return Number(bare.replaceAll(",", ""))
  if (CONTINENTAL.test(bare)) return Number(bare.replaceAll(".", "").replace(",", "."))
  const fraction = FRACTION.exec(bare)
  if (fraction !== null && Number(fraction[2]) !== 0)
    return Number(fraction[1]) / Number(fraction[2])
  return undefined
}

export const fitNumber = (node: Node, type: "number" | "integer"): Fit => {
  const what = type === "integer" ? "must be a whole number" : "must be a number"
  const value =
    node.kind === "number"
      ? (node.value as number)
      : node.kind === "string"
        ? toNumber(node.value as string)
        : undefined
  if (value === undefined || !Number.isFinite(value)) return mismatch(node, what)
  if (type === "integer" && !Number.isInteger(value)) return mismatch(node, what)
  return node.kind === "number"
    ? fits(value)
    : changed("to_number", node, value, COST.scalar, String(node.value))
}

const truths: { readonly [word: string]: boolean } = {
  true: true,
  false: false,
  yes: true,
  no: false,
  "1": true,
  "0": false,
}

export const fitBoolean = (node: Node): Fit => {
  if (typeof node.value === "boolean") return fits(node.value)
  const word = node.kind === "string" ? foldText(node.value as string) : String(node.value)
  const value =
    (node.kind === "string" || node.kind === "number") && Object.hasOwn(truths, word)
      ? truths[word]
      : undefined
  return value === undefined
    ? mismatch(node, "must be true or false")
    : changed("to_boolean", node, value, COST.scalar, String(node.value))
}

export const fitNull = (node: Node): Fit => {
  if (node.kind === "literal" && node.value === null) return fits(null)
  return node.kind === "string" && /^(?:null|none|nil)$/i.test(node.value as string) && !node.quoted
    ? changed("to_null", node, null, COST.scalar)
    : mismatch(node, "must be null")
}
