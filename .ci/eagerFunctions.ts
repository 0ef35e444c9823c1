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

/** The functions that the start of a host calls, by path of their source. */
export const calledAtStart = (): ReadonlyMap<string, ReadonlyArray<Range>> => {
  const folder = mkdtempSync(join(tmpdir(), "planloom-called-"))
  const host = (purpose: string, env: NodeJS.ProcessEnv = {}) =>
    execFileSync(
      process.execPath,
      [join(import.meta.dirname, "startHost.ts"), purpose, join(folder, "host.json")],
      { env: { ...process.env, ...env } },
    )
  try {
    host("build")
    const coverage = join(folder, "coverage")
    host("run", { NODE_V8_COVERAGE: coverage })
    return new Map(
      readdirSync(coverage)
        .flatMap(
          (name) => (JSON.parse(readFileSync(join(coverage, name), "utf8")) as Coverage).result,
        )
        .filter(({ url }) => url.startsWith("file:"))
        .map(({ functions, url }) => [
          fileURLToPath(url),
          functions.map(({ ranges }) => ranges[0]!).filter(({ count }) => count > 0),
        ]),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Puts the functions into parentheses. */
export const eagerFunctions = (called: ReadonlyMap<string, ReadonlyArray<Range>>): Plugin => ({
  name: "eager",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const ranges = called.get(path)
      return ranges && { contents: inParentheses(readFileSync(path, "utf8"), ranges), loader: "ts" }
    }),
})

/**
 * Only functions that are all of what is assigned or returned, and without type parameters: declarations and methods cannot
 * be marked. Node replaces types by blanks, so offsets are those of the source.
 */
const inParentheses = (text: string, ranges: ReadonlyArray<Range>): string => {
  const marks = ranges
    .filter(({ startOffset }) => /[^=!<>]=>?\s*$/.test(text.slice(0, startOffset)))
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
