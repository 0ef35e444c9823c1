/** Keeps the whole that a share refers to. */
import { choices } from "./TableQuestion.ts"
import type { Reading } from "./Reading.ts"

/** "what share of revenue is Toys": with the other categories left out, Toys would be 100 %. */
export const resolveShares = (reading: Reading): void => {
  if (!reading.analysis.has("share") || reading.groupBy.size > 0) return
  if (reading.grain !== "unknown") return
  const parts = reading.constraints.filter(
    (one) => one.kind === "filter" && (one.op === "=" || one.op === "in"),
  )
  for (const part of parts) {
    if (part.kind !== "filter") continue
    const column = reading.profile.columns.find(({ name }) => name === part.column)
    if (column?.type !== "string" && column?.type !== "boolean") continue
    reading.constraints.splice(reading.constraints.indexOf(part), 1)
    reading.groupBy.add(column.name)
    reading.follow(`group_by:${column.name}`, `filter:${column.name}`)
    const said = Array.isArray(part.value) ? part.value.map(String).join(", ") : String(part.value)
    reading.notes.push(`${said} shown among every ${column.name}, so that the shares add up`)
    return
  }
  if (reading.missing.length > 0) return
  const names = reading.profile.columns
    .filter(({ type }) => type === "string")
    .map(({ name }) => name)
  reading.questions.push({
    about: "",
    text: `The share of each what: ${names.join(", ") || "row"}?`,
    choices: choices(names.map((name) => `by ${name}`)),
  })
}
