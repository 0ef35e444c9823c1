/**
 * Marks functions that every host calls at its start. V8 skips a function when it reads a file, and reads it again with
 * its first call; one in parentheses it compiles at once. esbuild keeps such parentheses.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Plugin } from "esbuild"

interface Range {
  readonly startOffset: number
  readonly endOffset: number
  readonly count: number
}

/** What V8 writes into the folder `NODE_V8_COVERAGE`. */
interface Coverage {
  readonly result: ReadonlyArray<{
    readonly url: string
    readonly functions: ReadonlyArray<{ readonly ranges: ReadonlyArray<Range> }>
  }>
}

/** Functions by path of their file. */
export type Called = ReadonlyMap<string, ReadonlyArray<Range>>

/** What the start of a host calls, and what reading and checking its workflow calls besides. */
export const calledAtStart = (): { readonly host: Called; readonly command: Called } => {
  const folder = mkdtempSync(join(tmpdir(), "planloom-called-"))
  const calledBy = (purpose: "build" | "run") => {
    const coverage = join(folder, purpose)
    execFileSync(
      process.execPath,
      [join(import.meta.dirname, "startHost.ts"), purpose, join(folder, "host.json")],
      { env: { ...process.env, NODE_V8_COVERAGE: coverage } },
    )
    return readdirSync(coverage)
      .flatMap(
        (name) => (JSON.parse(readFileSync(join(coverage, name), "utf8")) as Coverage).result,
      )
      .filter(({ url }) => url.startsWith("file:"))
  }
  try {
    const built = calledBy("build")
    const ran = calledBy("run")
    return { host: byPath(ran), command: byPath([...built, ...ran]) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const byPath = (covered: Coverage["result"]): Called => {
  const called = new Map<string, Map<number, Range>>()
  for (const { functions, url } of covered) {
    const path = fileURLToPath(url)
    const ranges = called.get(path) ?? new Map<number, Range>()
    called.set(path, ranges)
    for (const {
      ranges: [whole],
    } of functions) {
      if (whole !== undefined && whole.count > 0) ranges.set(whole.startOffset, whole)
    }
  }
  return new Map([...called].map(([path, ranges]) => [path, [...ranges.values()]]))
}

/** Puts the functions into parentheses. */
export const eagerFunctions = (called: Called): Plugin => ({
  name: "eager",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.[jt]s$/, namespace: "file" }, ({ path }) => {
      const ranges = called.get(path)
      return (
        ranges && {
          contents: inParentheses(readFileSync(path, "utf8"), ranges),
          loader: path.endsWith("ts") ? "ts" : "js",
        }
      )
    }),
})

/** Letters before a function that are looked at. */
const MARGIN = 200

/** What an expression follows, and how a function expression without type parameters begins. */
const before = /([^=!<>]=>?|[(,:]|\breturn)\s*$/
const expression = /^(async\s+)?(\(|function\b|[\w$]+\s*=>)/

/**
 * Only functions that are all of what is assigned, passed or returned: declarations and methods cannot be marked. Node
 * replaces types by blanks, so offsets are those of the source.
 */
const inParentheses = (text: string, ranges: ReadonlyArray<Range>): string => {
  const marks = ranges
    .filter(
      ({ endOffset, startOffset }) =>
        before.test(text.slice(Math.max(0, startOffset - MARGIN), startOffset)) &&
        expression.test(text.slice(startOffset, endOffset)),
    )
    .flatMap(({ endOffset, startOffset }) => [
      { at: startOffset, mark: "(" },
      { at: endOffset, mark: ")" },
    ])
    .toSorted((one, other) => one.at - other.at)
  return (
    marks.map(({ at, mark }, index) => text.slice(marks[index - 1]?.at ?? 0, at) + mark).join("") +
    text.slice(marks.at(-1)?.at ?? 0)
  )
}
