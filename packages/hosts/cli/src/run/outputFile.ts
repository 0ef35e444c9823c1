/** The files of outputs: charts and reports by their `type`, pictures and pages by their text. */
import { isJsonObject, type Json } from "@planloom/plugin/effect"

/** The file of an output: its extension and text. */
export interface OutputFile {
  readonly ending: string
  readonly text: string
}

/** Returns the file of a chart or a report; with `all`, of every output. */
export const fileOf = (value: Json, all: boolean): OutputFile | undefined => {
  const given = isJsonObject(value) ? value : undefined
  if (given?.["type"] === "chart" && typeof given["svg"] === "string") {
    return { ending: "svg", text: given["svg"] }
  }
  if (given?.["type"] === "report" && typeof given["html"] === "string") {
    return { ending: "html", text: given["html"] }
  }
  if (typeof value === "string") {
    if (/^\s*(<\?xml[^>]*>\s*)?<svg\b/i.test(value)) return { ending: "svg", text: value }
    if (/^\s*<(!doctype html|html)\b/i.test(value)) return { ending: "html", text: value }
    return all ? { ending: "md", text: `${value.trimEnd()}\n` } : undefined
  }
  return all && value !== null
    ? { ending: "json", text: `${JSON.stringify(value, null, 2)}\n` }
    : undefined
}
