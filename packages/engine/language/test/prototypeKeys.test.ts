/** Names that every JavaScript object inherits are plain keys of a file: no crash, and each at its place. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { type Document, isMap, parseDocument, type Pair, Scalar, visit, type YAMLMap } from "yaml"
import { checkFile } from "../src/load/check/checkFile.ts"
import { cases } from "../../../../.config/cases.ts"
import { checkText } from "./checkText.ts"

const root = join(import.meta.dirname, "..", "..", "..")

/** Workflows and catalogs that have every section, and one of each other kind of file. */
const files = [
  "packages/engine/language/test/golden/ok/*.yaml",
  "catalog/data.yaml",
  "templates/plans/ranking.yaml",
  "templates/examples/*.yaml",
].flatMap((pattern) =>
  globSync(pattern, { cwd: root }).map(
    (file) => [file, readFileSync(join(root, file), "utf8")] as const,
  ),
)

const project = `apiVersion: planloom/v1
kind: Project
plugins: { "./plugin.ts": { servers: { local: { url: a } } } }
models: { fast: { try: [a/b], otherwise: mechanical } }
model_facts: [models.yaml]
flags: { careful: true }
environments:
  canary: { models: { fast: [a/c] }, flags: { careful: false } }
runs: { keep: { age: 30d } }
`

const models = `apiVersion: planloom/v1
kind: Models
models:
  local/small: { context: 8192, output: 1024, price: { input: 1, output: 2 } }
`

const names = [...Object.getOwnPropertyNames(Object.prototype), "prototype", "length", "name"]
const values = ["x", { a: 1 }]

const mapsOf = (document: Document): ReadonlyArray<YAMLMap> => {
  const maps: Array<YAMLMap> = []
  visit(document, { Map: (_, map) => void maps.push(map) })
  return maps
}

/** The file with the `at`-th mapping in it changed; undefined when it has no more. */
const changed = (
  text: string,
  at: number,
  change: (map: YAMLMap, document: Document) => boolean,
): string | undefined => {
  const document = parseDocument(text)
  const map = mapsOf(document)[at]
  return map === undefined || !change(map, document) ? undefined : document.toString()
}

const check = async (path: string, text: string) => {
  const { diagnostics } = /^kind: (Workflow|Catalog)$/m.test(text)
    ? checkText(path, text)
    : await Effect.runPromise(checkFile(path, { texts: new Map([[path, text]]) }))
  for (const { message, start } of diagnostics) {
    expect(message).not.toMatch(/undefined|\[object |native code/)
    expect(start.line).toBeGreaterThan(0)
  }
  return diagnostics
}

/** Mappings of one file, spread over it, in a test run; all of them in the long run. */
const MAPPINGS = 10

const eachMap = async (
  path: string,
  text: string,
  change: (map: YAMLMap, document: Document) => boolean,
): Promise<number> => {
  let count = 0
  const all = mapsOf(parseDocument(text)).length
  for (let at = 0; at < all; at += Math.ceil(all / cases(MAPPINGS, 20))) {
    const broken = changed(text, at, change)
    if (broken === undefined) continue
    count++
    await check(path, broken)
  }
  return count
}

describe.each([...files, ["planloom.yaml", project] as const, ["models.yaml", models] as const])(
  "%s",
  (path, text) => {
    it.each(values)(
      "checks with the keys of every object, each with the value %j, in any mapping",
      async (value) => {
        const count = await eachMap(path, text, (map, document) => {
          for (const name of names) {
            if (!map.has(name)) map.add(document.createPair(new Scalar(name), value))
          }
          return true
        })
        expect(count).toBeGreaterThan(0)
      },
    )

    it("checks with any key renamed to constructor", async () => {
      let count = 0
      for (let which = 0; which < 6; which++) {
        count += await eachMap(path, text, (map) => {
          const pair = map.items[which] as Pair | undefined
          if (pair === undefined || isMap(pair.key)) return false
          pair.key = new Scalar("constructor")
          return true
        })
      }
      expect(count).toBeGreaterThan(0)
    })
  },
)
