/** Imports modules one after the other, and prints a line of JSON for each with what it threw and which claims are wrong. */
import { inspect } from "node:util"

const spaceless = (text) => text.replaceAll(/['"\s]/g, "")

/** `…` stands for anything; a claim may go on with a colon and an explanation. */
const isAs = (value, said) => {
  const pattern = spaceless(said)
    .split("…")
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join(".*")
  const actual = spaceless(inspect(value, { depth: null, breakLength: Infinity }))
  return new RegExp(`^${pattern}$`).test(actual) || spaceless(said).startsWith(`${actual}:`)
}

Object.assign(console, { log: () => {} })
for (const file of process.argv.slice(2)) {
  const claims = { right: 0, wrong: [] }
  globalThis.shown = (value, said) => {
    if (value === undefined) return
    if (isAs(value, said)) claims.right++
    else claims.wrong.push(`${inspect(value, { depth: null })}, not ${said}`)
  }
  const failed = await import(file).then(
    () => undefined,
    (error) => String(error?.stack ?? error),
  )
  process.stdout.write(`${JSON.stringify({ file, failed, ...claims })}\n`)
}
process.exit(0)
