/** The package bundled for a browser: it runs without Node's modules and globals, and without Ajv. */
import { join } from "node:path"
import { runInNewContext } from "node:vm"
import { build } from "esbuild"
import { beforeAll, describe, expect, it } from "vitest"

let code = ""
let inputs: ReadonlyArray<string> = []

beforeAll(async () => {
  const { metafile, outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "../src/index.ts")],
    bundle: true,
    platform: "browser",
    format: "iife",
    globalName: "salvage",
    write: false,
    metafile: true,
    logLevel: "silent",
  })
  code = outputFiles[0]!.text
  inputs = Object.keys(metafile.inputs)
})

/** The result as JSON, from a context with JavaScript's own globals only. */
const run = (expression: string): unknown =>
  JSON.parse(runInNewContext(`${code}; JSON.stringify(${expression})`) as string)

describe("the bundle for a browser", () => {
  it("holds neither Ajv nor an import of Node's modules", () => {
    expect(inputs.filter((path) => path.includes("/node_modules/ajv/"))).toEqual([])
    expect(code).not.toMatch(/\b(?:require|import)\(["']node:/)
  })

  it("reads text, with patterns and formats of a schema", () => {
    const schema =
      '{ properties: { on: { type: "string", format: "date" }, id: { pattern: "^a+$" } } }'
    expect(run(`salvage.parse("{on: '5 May 2026', id: 'aa',}", ${schema})`)).toMatchObject({
      ok: true,
      value: { on: "2026-05-05", id: "aa" },
    })
    expect(run(`salvage.parse("{id: 'b'}", ${schema})`)).toMatchObject({ ok: false })
    expect(
      run('(() => { const s = salvage.stream(); s.push("[1, {a"); return s.partial() })()'),
    ).toMatchObject({ value: [1, {}] })
  })

  it("refuses a schema that only Ajv can validate", () => {
    const schema = '{ type: "object", unevaluatedProperties: false }'
    expect(() => run(`salvage.parse("{a: 1,}", ${schema})`)).toThrow(
      "the schema needs the library ajv/dist/2020.js, which cannot be loaded here",
    )
  })
})
