/** The rows of a suite, and whether a contender's answer passes one. */
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"

export interface Row {
  readonly id: string
  readonly kind: string
  readonly text: string
  readonly expected?: unknown
  readonly schema?: { readonly [keyword: string]: unknown }
  /** How far the row lets a value be led to its schema; json_repair's `salvage` supplies, drops and reorders. */
  readonly schema_mode?: string
  /** The schema as BAML writes it, and the type that is asked for. */
  readonly baml_schema?: string
  readonly baml_type?: string
}

export interface Suite {
  readonly name: string
  /** The suite that it is a group of: its file. */
  readonly file: string
  readonly rows: ReadonlyArray<Row>
}

/** A value, or `undefined` for a refusal. */
export type Answer = { readonly value: unknown } | undefined

/** Valid JSON and either-way rows of JSONTestSuite and json5 only have to be survived; each kind of a mixed suite counts as one. */
export const readSuites = (folder: string): ReadonlyArray<Suite> => {
  const suites = new Map<string, Suite & { readonly rows: Array<Row> }>()
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .toSorted()) {
    const suite = file.replace(/(?:_half)?\.jsonl$/, "")
    for (const line of readFileSync(join(folder, file), "utf8").trim().split("\n")) {
      const raw = JSON.parse(line) as { readonly [field: string]: unknown }
      const text =
        (raw["input"] as string | undefined) ??
        Buffer.from(String(raw["input_b64"]), "base64").toString()
      const row = { ...raw, text, schema: raw["schema"] ?? undefined } as unknown as Row
      const name = `${suite}${groupOf(suite, row)}`
      if (!suites.has(name)) suites.set(name, { name, file: suite, rows: [] })
      suites.get(name)!.rows.push(withTruth(suite, row))
    }
  }
  return [...suites.values()]
}

const groupOf = (suite: string, { kind }: Row): string => {
  if (suite === "baml")
    return kind.startsWith("partial") ? " partial" : kind === "value" ? " value" : " must fail"
  if (suite === "json_repair_py") return kind === "value" ? " value" : " must fail"
  if (suite === "jsontestsuite") return kind === "value" ? " valid" : " survive"
  return suite === "json5" && kind !== "value" ? " survive" : ""
}

const withTruth = (suite: string, row: Row): Row =>
  suite === "jsontestsuite" && row.kind === "value"
    ? { ...row, expected: JSON.parse(row.text) as unknown }
    : row

/** The halves of a set: misses are only looked at in the seen one. */
export const halfOf = (id: string): "seen" | "unseen" =>
  createHash("sha256").update(id).digest()[0]! % 2 === 1 ? "unseen" : "seen"

/** Whether the row only asks for an answer of any kind, in time. */
export const isSurvival = (suite: string): boolean => suite.endsWith(" survive")

export const passes = (suite: string, row: Row, answer: Answer): boolean => {
  if (isSurvival(suite)) return true
  const wanted = wants(row)
  if (wanted === undefined) return answer === undefined
  return answer !== undefined && isDeepStrictEqual(plain(answer.value), wanted.value)
}

/** What a row asks for: `undefined` is a refusal. */
export const wants = (row: Row): Answer =>
  Object.hasOwn(row, "expected") ? { value: plain(row.expected) } : undefined

/** A null member equals an absent one, and 0 equals -0. */
const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== "object" || value === null) return value === 0 ? 0 : (value ?? null)
  const members = Object.entries(value).filter(
    ([, member]) => member !== null && member !== undefined,
  )
  return Object.fromEntries(members.map(([key, member]) => [key, plain(member)]))
}
