/** The files of the bundle that a command loads before it does anything, and the sources in them. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, inject, it } from "vitest"
import type { Metafile } from "esbuild"

const cli = join(import.meta.dirname, "..")

const { inputs, outputs } = JSON.parse(readFileSync(inject("commandMetafile"), "utf8")) as Metafile

const chunkOf = (source: string): string =>
  Object.keys(outputs).find((chunk) => outputs[chunk]!.entryPoint === source) ??
  assert.fail(`no chunk of ${source}`)

/** Chunks that Node loads with those of the sources: their static imports, followed to their ends. */
const loadedWith = (sources: ReadonlyArray<string>): ReadonlyArray<string> => {
  const seen = new Set<string>()
  const visit = (chunk: string) => {
    if (seen.has(chunk)) return
    seen.add(chunk)
    for (const { external = false, kind, path } of outputs[chunk]!.imports) {
      if (!external && kind === "import-statement") visit(path)
    }
  }
  sources.map(chunkOf).forEach(visit)
  return [...seen]
}

const sourcesIn = (chunks: ReadonlyArray<string>): ReadonlyArray<string> =>
  chunks
    .flatMap((chunk) => Object.keys(outputs[chunk]!.inputs))
    .map((path) => path.replace(/^.*\/node_modules\//, ""))

const anyCommand = ["src/bin.ts", "src/main.ts", "src/runCommandLine.ts"]
const readsFiles = [...anyCommand, "src/check/checkFiles.ts"]
const runs = [...readsFiles, "../../engine/embed/src/index.ts", "src/run/runWorkflow.ts"]

/** Sources that only some commands need, or only workflows that use them. */
const rest =
  /^\.\.\/(agent|analyst|dev|documents|estimate|hooks|mcp|mcp-server|planning|provider|record|retrieval|review-kit|salvage|server|shadow|stages|store-sqlite|subagents|telemetry|tools|validators)\b|^src\/(chat|dev|doctor|eval|plan|serve|test)\/|^(ajv|re2js)\//
const display = /^src\/(progress|run|runs)\/|^\.\.\/tables\//
const engine = /^\.\.\/(core|embed|prompt|reply)\//
const files = /^yaml\/|^\.\.\/(expression|language|schema)\/|^src\/(check\/|trust\/may)/

describe.each([
  ["any command", anyCommand, 8, [rest, display, engine, files]],
  ["check", readsFiles, 15, [rest, display, engine]],
  ["run", runs, 26, [rest]],
] as const)("the start of %s", (_, sources, most, unwanted) => {
  const chunks = loadedWith(sources)

  it(`loads at most ${most} files`, () => {
    assert.isAbove(chunks.length, 3)
    assert.isAtMost(chunks.length, most, chunks.join(" "))
  })

  it("loads only sources that it needs", () => {
    const loaded = sourcesIn(chunks)
    assert.include(loaded, sources.at(-1))
    assert.deepStrictEqual(
      loaded.filter((path) => unwanted.some((pattern) => pattern.test(path))),
      [],
    )
  })
})

it("a source that is a part of a start is in the bundle once, for its dynamic imports, too", () => {
  const parts = Object.keys(inputs).filter((path) => path.startsWith("within:"))
  assert.isNotEmpty(parts)
  for (const part of parts) {
    assert.include(
      inputs[part]!.imports.map(({ path }) => `within:${join(cli, path)}`),
      part,
    )
  }
})
