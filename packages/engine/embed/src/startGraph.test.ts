/** What a host loads at its start: the static imports of each entry, followed to their ends. */
import { join } from "node:path"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { build, type Metafile } from "esbuild"

const packages = join(import.meta.dirname, "../../..")

const entries = [
  "engine/embed/src/artefact.ts",
  "engine/embed/src/index.ts",
  "engine/core/src/index.ts",
  "contract/plugin/src/effect.ts",
  "engine/record/src/index.ts",
  "engine/record/src/read/follow.ts",
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
  /^yaml\/|^engine\/language\/src\/definition\/(rules|shape|scope\/(?!Known))|^engine\/language\/src\/source\/(Document|yaml|format|render)/

/** Of workflows that have models, tools, retries, hooks, reviews or an embedder. */
const late =
  /^engine\/core\/src\/(hook\/runHooks|model\/callModel|pipeline\/Embeddings|run\/stage\/attempt\/reviewText|tool\/callTool)\.|^engine\/prompt\/src\/assemblePrompt|^effect\/.*\/(Fiber|JsonPatch|Random|Semaphore)\.js$/

/** Of the validator of schemas plugins need nothing but what strips annotations. */
const validator = /^contract\/schema\/src\/(?!annotations|keywords|Schema\.)/

/** With a static import of these Node loads its promises and streams, or its cryptography, which takes 6 ms. */
const nodeParts = /^node:(fs|crypto)/

describe.each([
  ["engine/embed/src/artefact.ts", [heavy, files, late, nodeParts]],
  [
    "engine/embed/src/index.ts",
    [/^(ajv|re2js)\//, /^effect\/.*\/(Schema|Stream|Channel|PubSub|RcMap)\.[jt]s$/, late],
  ],
  ["engine/core/src/index.ts", [heavy, late]],
  ["contract/plugin/src/effect.ts", [heavy, validator]],
  ["engine/record/src/index.ts", [heavy]],
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

it("a host that imports engine/record/src/read/follow.ts loads streams", () => {
  const loaded = loadedWith("engine/record/src/read/follow.ts")
  assert.isNotEmpty(loaded.filter((path) => heavy.test(path)))
})
