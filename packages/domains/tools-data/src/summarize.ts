/** CEL that gives the result of a tool in one line, by the type of its first output. */

/** A number with commas between thousands, up to a thousand million. */
const grouped = (number: string): string => {
  const lastThree = (of: string) => `string(${of} % 1000 + 1000).substring(1)`
  const thousands = `int(${number} / 1000)`
  const millions = `int(${number} / 1000000)`
  return [
    `(${number} < 1000 ? string(${number})`,
    `: ${number} < 1000000 ? string(${thousands}) + "," + ${lastThree(number)}`,
    `: string(${millions}) + "," + ${lastThree(thousands)} + "," + ${lastThree(number)})`,
  ].join(" ")
}

const counted = (number: string, word: string): string =>
  `${grouped(number)} + (${number} == 1 ? " ${word}" : " ${word}s")`

const sizeOf = (table: string): string =>
  `${counted(`${table}.rows`, "row")} + ", " + ${counted(`size(${table}.columns)`, "column")}`

const titled = (object: string): string =>
  `(has(${object}.title) && ${object}.title != "" ? ": " + ${object}.title : "")`

export const summarize: { readonly [output: string]: string } = {
  table: `${sizeOf("result")} + ${titled("result")}`,
  profile: sizeOf("result.table"),
  chart: `result.type + ${titled("result")}`,
  report: `"report" + ${titled("result")}`,
  rows: `string(size(result.rows)) + " of " + ${counted("result.total", "row")}`,
  file: `result.format + " file of " + ${counted("result.rows", "row")}`,
}
