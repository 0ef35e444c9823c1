/** The models that are known without a project saying so: `catalog/models.yaml`, as the engine carries it. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { costOf, factsOf, outputLimit } from "@planloom/plugin/facts"
import type { Facts } from "@planloom/plugin/facts"
import { decodeModels } from "../src/definition/decode.ts"
import { knownModels } from "../src/load/knownModels.ts"
import { parseDocument } from "../src/source/Document.ts"
import { sourceFile } from "../src/source/SourceFile.ts"

const path = join(import.meta.dirname, "../../../../catalog/models.yaml")

const catalog = (): Facts => {
  const { diagnostics, document } = parseDocument(
    sourceFile("catalog/models.yaml", readFileSync(path, "utf8")),
  )
  const decoded = decodeModels(document!)
  expect([...diagnostics, ...decoded.diagnostics]).toEqual([])
  return new Map(Object.entries(decoded.definition!.models))
}

/** One model a line, so that a price that changes is one line of a diff. */
const moduleText = (
  facts: Facts,
): string => `/** What \`catalog/models.yaml\` says, as data; a test keeps it so. */
import type { Models } from "../definition/shape/models.ts"

export const shippedModels = JSON.parse(\`{
${[...facts].map(([name, one]) => `  ${JSON.stringify(name)}: ${JSON.stringify(one)}`).join(",\n")}
}\`) as Models["models"]
`

describe("the catalog of models", () => {
  it("is what the engine carries", async () => {
    const facts = catalog()
    await expect(moduleText(facts)).toMatchFileSnapshot("../src/load/shippedModels.ts")
    expect([...(await knownModels()).keys()]).toEqual([...facts.keys()])
  })

  it("has no price that is cheaper for output, dearer for what is cached, cheaper for what is written into a cache, or cheaper when it is long", () => {
    for (const [name, { price }] of catalog()) {
      if (price === undefined) continue
      const { cached, input, long, output, written } = price
      expect(written ?? input, name).toBeGreaterThanOrEqual(input)
      expect(output, name).toBeGreaterThanOrEqual(input)
      expect(cached ?? input, name).toBeLessThanOrEqual(input)
      if (long === undefined) continue
      expect(long.input, name).toBeGreaterThan(input)
      expect(long.output, name).toBeGreaterThan(output)
      expect(long.cached === undefined, name).toBe(cached === undefined)
    }
  })

  it("leaves out the price of a model whose price is about to change: a cost is unknown, not wrong", () => {
    const facts = factsOf("google/gemini-3.8-flash", catalog())
    expect(facts?.context).toBe(1048576)
    expect(costOf({ input: 1000, output: 1000 }, facts?.price)).toBeUndefined()
  })
})

describe("facts", () => {
  it("of a model that is not listed are those of its provider", () => {
    const facts = catalog()
    expect(factsOf("ollama/llama3.3", facts)?.price).toMatchObject({ input: 0, output: 0 })
    expect(factsOf("anthropic/claude-unheard-of", facts)).toBeUndefined()
    expect(factsOf("nothing", facts)).toBeUndefined()
  })

  it.each(["ollama", "llamacpp", "lmstudio", "vllm"])(
    "of a local model of %s let it call tools natively, and leave reasoning and images open",
    (server) => {
      const { capabilities } = factsOf(`${server}/any`, catalog())!
      expect(capabilities).toEqual(expect.arrayContaining(["tools", "images", "reasoning"]))
    },
  )

  it("price a call by what was cached, and as a long one when its prompt is long", () => {
    const price = {
      input: 2,
      output: 10,
      cached: 0.5,
      written: 2.5,
      long: { above: 1000, input: 4, output: 20, cached: undefined, written: undefined },
    }
    expect(costOf({ input: 1000, output: 100 }, price)).toBeCloseTo(0.003)
    expect(costOf({ input: 1000, output: 100, cached: 600 }, price)).toBeCloseTo(0.0021)
    expect(costOf({ input: 2000, output: 100, cached: 1000 }, price)).toBeCloseTo(0.01)
    expect(costOf({ input: 1000, output: 100, cached: 200, written: 400 }, price)).toBeCloseTo(
      0.0029,
    )
    expect(costOf({ input: 1, output: 1 }, undefined)).toBeUndefined()
  })

  it("bound the length of a reply by what the model writes", () => {
    const facts = {
      context: 8000,
      max_output: 500,
      price: undefined,
      capabilities: [],
      refuses: [],
      structured: undefined,
      tokenizer: undefined,
    }
    expect(outputLimit(9000, facts)).toBe(500)
    expect(outputLimit(100, facts)).toBe(100)
    expect(outputLimit(undefined, facts)).toBe(500)
    expect(outputLimit(100, undefined)).toBe(100)
    expect(outputLimit(undefined, undefined)).toBeUndefined()
  })
})
