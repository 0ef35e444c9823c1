/** Writes a document in notations other than JSON. */
import type { Fields, Value } from "./plans.ts"

export interface Writing {
  readonly quote: "json" | "single" | "python" | "smart" | "backtick" | "doubled" | "bare" | "raw"
  readonly names: "quoted" | "bare"
  readonly literals: "json" | "python"
  readonly lists: "[]" | "()"
  readonly colon: string
  readonly comma: string
  /** After the last item, and after each item on a line. */
  readonly trailing: string
  readonly comment: string
}

const plain: Writing = {
  quote: "json",
  names: "quoted",
  literals: "json",
  lists: "[]",
  colon: ": ",
  comma: ",",
  trailing: "",
  comment: "",
}

export const textWith = (value: Value, indent: number, writing: Partial<Writing>): string => {
  // Without commas and with comments or bare words, line ends separate.
  const onLines = writing.comma === "" || writing.comment !== undefined || writing.quote === "bare"
  return write(value, { ...plain, ...writing }, onLines ? 2 : indent, "")
}

const write = (value: Value, writing: Writing, indent: number, margin: string): string => {
  if (typeof value === "string") return quoted(value, writing)
  if (typeof value !== "object" || value === null) return literal(value, writing)
  const isList = Array.isArray(value)
  const [open, close] = isList ? writing.lists : "{}"
  const entries = Object.entries(value as Fields)
  if (entries.length === 0) return `${open}${close}`
  const inner = margin + " ".repeat(indent)
  const start = indent > 0 ? `\n${inner}` : ""
  const items = entries.map(([name, item], at) => {
    const isLast = at === entries.length - 1
    const member = write(item, writing, indent, inner)
    const needsComma = writing.lists === "()" && isList && entries.length === 1
    const end = isLast ? (needsComma ? "," : writing.trailing) : writing.comma
    const gap = isLast || indent > 0 ? "" : " "
    return `${start}${isList ? "" : nameOf(name, writing) + writing.colon}${member}${end}${writing.comment}${gap}`
  })
  return `${open}${items.join("")}${indent > 0 ? `\n${margin}` : ""}${close}`
}

const nameOf = (name: string, writing: Writing): string =>
  writing.names === "bare" ? name : quoted(name, writing)

const literal = (value: Value, { literals }: Writing): string =>
  literals === "python" && (value === null || typeof value === "boolean")
    ? value === null
      ? "None"
      : value
        ? "True"
        : "False"
    : JSON.stringify(value)

const quoted = (text: string, { quote }: Writing): string => {
  const body = JSON.stringify(text).slice(1, -1)
  switch (quote) {
    case "single":
      return `'${body.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
    case "python":
      return text.includes("'") ? JSON.stringify(text) : `'${body.replaceAll('\\"', '"')}'`
    case "smart":
      return `“${body}”`
    case "backtick":
      return `\`${body.replaceAll("`", "\\`")}\``
    case "doubled":
      return `""${body}""`
    case "bare":
      return /^\p{L}[\p{L} ]*$/u.test(text) ? text : JSON.stringify(text)
    case "raw":
      return JSON.stringify(text).replaceAll("\\n", "\n").replaceAll("\\t", "\t")
  }
  return JSON.stringify(text)
}
