/** What a host loads at its start: the static imports of each entry, followed to their ends. */
import { join } from "node:path"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { build, type Metafile } from "esbuild"

const packages = join(import.meta.dirname, "../..")

const entries = [
  "embed/src/artefact.ts",
  "embed/src/index.ts",
  "core/src/index.ts",
  "plugin/src/effect.ts",
  "record/src/index.ts",
  "record/src/read/follow.ts",
] as const

let inputs: Metafile["inputs"]

beforeAll(async () => {
  const built = await build({
    absWorkingDir: packages,
    entryPoints: [...entries],
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    outdir: "unwritten",
    write: false,
    metafile: true,
    logLevel: "silent",
  })
  inputs = built.metafile.inputs
})

/** Paths of all modules that Node would load with this one, from `packages/` or `node_modules/` on. */
const loadedWith = (entry: (typeof entries)[number]): ReadonlyArray<string> => {
  const seen = new Set<string>()
  const visit = (path: string) => {
    if (seen.has(path)) return
    seen.add(path)
    for (const { kind, path: next } of inputs[path]?.imports ?? []) {
      if (kind === "import-statement" || kind === "require-call") visit(next)
    }
  }
  visit(entry)
  return [...seen].map((path) => path.replace(/^.*\/node_modules\//, ""))
}

const heavy = /^(ajv|re2js|yaml)\/|^effect\/.*\/(Schema|Stream|Channel|PubSub|RcMap)\.[jt]s$/
const files =
  /^yaml\/|^language\/src\/definition\/(rules|shape|scope\/(?!Known))|^language\/src\/source\/(Document|yaml|format|render)/

/** Of workflows that have models, tools, retries, hooks, reviews or an embedder. */
const late =
  /^core\/src\/(hook\/runHooks|model\/callModel|pipeline\/Embeddings|run\/stage\/attempt\/reviewText|tool\/callTool)\.|^prompt\/src\/assemblePrompt|^effect\/.*\/(Fiber|JsonPatch|Random|Semaphore)\.js$/

/** Of the validator of schemas plugins need nothing but what strips annotations. */
const validator = /^schema\/src\/(?!annotations|keywords|Schema\.)/

/** With a static import of these Node loads its promises and streams, or its cryptography, which takes 6 ms. */
const nodeParts = /^node:(fs|crypto)/

describe.each([
  ["embed/src/artefact.ts", [heavy, files, late, nodeParts]],
  [
    "embed/src/index.ts",
    [/^(ajv|re2js)\//, /^effect\/.*\/(Schema|Stream|Channel|PubSub|RcMap)\.[jt]s$/, late],
  ],
  ["core/src/index.ts", [heavy, late]],
  ["plugin/src/effect.ts", [heavy, validator]],
  ["record/src/index.ts", [heavy]],
] as const)("a host that imports %s", (entry, unwanted) => {
  it("loads nothing at its start that only some hosts need", () => {
    const loaded = loadedWith(entry)
    assert.isAbove(loaded.length, 100)
    assert.include(loaded.join(), "Effect.js")
    assert.deepStrictEqual(
      loaded.filter((path) => unwanted.some((pattern) => pattern.test(path))),
      [],
    )
  })
})

it("a host that imports record/src/read/follow.ts loads streams", () => {
  const loaded = loadedWith("record/src/read/follow.ts")
  assert.isNotEmpty(loaded.filter((path) => heavy.test(path)))
})
