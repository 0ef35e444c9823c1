/** Values that say what the schema asks for in another way. */
import type { Faults } from "./Fault.ts"
import type { Json, JsonObject, Schema } from "../../src/Salvage.ts"

type Rule = { readonly [keyword: string]: any }
type Change = (value: Json, rule: Rule) => Json | undefined

/** Changes every part that can be changed; `undefined` when none can. */
const everywhere = (change: Change) => (value: JsonObject, schema: Schema) => {
  let changed = false
  const walk = (part: Json, rule: Rule): Json => {
    const other = change(part, rule)
    if (other !== undefined) {
      changed = true
      return other
    }
    if (Array.isArray(part)) return part.map((item) => walk(item, rule["items"] ?? {}))
    if (typeof part !== "object" || part === null) return part
    return Object.fromEntries(
      Object.entries(part).map(([key, item]) => [key, walk(item, rule["properties"]?.[key] ?? {})]),
    )
  }
  const result = walk(value, schema as Rule)
  return changed ? result : undefined
}

const ofEnum = (change: (choice: string) => string) =>
  everywhere((value, rule) => {
    if (rule["enum"] === undefined) return undefined
    const other = change(value as string)
    return other === value ? undefined : other
  })

const ofDate = (write: (year: string, month: number, day: number) => string) =>
  everywhere((value, { format }) => {
    if (format !== "date") return undefined
    const [year, month, day] = (value as string).split("-")
    return write(year!, Number(month), Number(day))
  })

const MONTHS =
  "January,February,March,April,May,June,July,August,September,October,November,December".split(",")

const renamed = (change: (name: string) => string) => {
  const walk = (part: Json): Json => {
    if (Array.isArray(part)) return part.map(walk)
    if (typeof part !== "object" || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([key, item]) => [change(key), walk(item)]))
  }
  return walk
}

export const valueFaults = {
  "numbers as text": {
    layer: "value",
    apply: everywhere((value) => (typeof value === "number" ? String(value) : undefined)),
  },
  "numbers with separators": {
    layer: "value",
    apply: everywhere((value) =>
      typeof value === "number" && value >= 1000 ? value.toLocaleString("en") : undefined,
    ),
  },
  "booleans as text": {
    layer: "value",
    apply: everywhere((value) => (typeof value === "boolean" ? String(value) : undefined)),
  },
  "booleans as yes and no": {
    layer: "value",
    apply: everywhere((value) => (typeof value === "boolean" ? (value ? "Yes" : "No") : undefined)),
  },
  "enum in capitals": { layer: "value", apply: ofEnum((choice) => choice.toUpperCase()) },
  "enum in small letters": { layer: "value", apply: ofEnum((choice) => choice.toLowerCase()) },
  "enum without accents": {
    layer: "value",
    apply: ofEnum((choice) => choice.normalize("NFD").replace(/\p{M}/gu, "")),
  },
  "enum with blanks": { layer: "value", apply: ofEnum((choice) => choice.replace(/[-_]/g, " ")) },
  "dates with slashes": {
    layer: "value",
    apply: ofDate((year, month, day) => `${year}/${month}/${day}`),
  },
  "dates in words": {
    layer: "value",
    apply: ofDate((year, month, day) => `${MONTHS[month - 1]} ${day}, ${year}`),
  },
  "dates with midnight": {
    layer: "value",
    apply: ofDate(
      (year, month, day) =>
        `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}T00:00:00Z`,
    ),
  },
  "one value for a list": {
    layer: "shape",
    apply: everywhere((value) =>
      Array.isArray(value) && value.length === 1 ? value[0] : undefined,
    ),
  },
  "a list around the object": { layer: "shape", apply: (value) => [value] },
  "a wrapped key": { layer: "shape", apply: (value) => ({ result: value }) },
  "text as numbers": {
    layer: "value",
    apply: everywhere((value, { type, format }) =>
      type === "string" && format === undefined && value === "12" ? 12 : undefined,
    ),
  },
  "objects as text": {
    layer: "shape",
    apply: (value) => {
      let changed = false
      const result = Object.fromEntries(
        Object.entries(value).map(([key, item]) => {
          if (typeof item !== "object" || item === null || Array.isArray(item)) return [key, item]
          changed = true
          return [key, JSON.stringify(item)]
        }),
      )
      return changed ? result : undefined
    },
  },
  "names in capitals": {
    layer: "shape",
    apply: (value) => renamed((name) => name[0]!.toUpperCase() + name.slice(1))(value),
  },
  "names in camel case": {
    layer: "shape",
    apply: (value) =>
      renamed((name) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()))(value),
  },
  "names with blanks": {
    layer: "shape",
    apply: (value) => renamed((name) => name.replaceAll("_", " "))(value),
  },
  "a member too many": { layer: "shape", apply: (value) => ({ ...value, confidence: 0.9 }) },
  "null for what is optional": {
    layer: "shape",
    apply: (value) => ({ ...value, remark: null }),
  },
} satisfies Faults
