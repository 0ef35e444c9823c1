/** Every clean workflow compiles, and its pipeline in print is what its golden says. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { inputSchema, mergeTools, promptModes } from "@planloom/language"
import { compile } from "../src/pipeline/compile/compile.ts"
import { compilePrompts } from "@planloom/prompt/compile"
import { explainPipeline } from "./explainPipeline.ts"
import { ModelRegistry } from "../src/pipeline/ModelRegistry.ts"
import { checkText, promptsOf } from "../../language/test/checkText.ts"
import { fakeResources } from "../../language/test/fakeComponents.ts"

const folder = join(import.meta.dirname, "golden")
const clean = join(import.meta.dirname, "../../language/test/golden/ok")
const names = readdirSync(clean).filter((name) => name.endsWith(".yaml"))

describe("a checked workflow", () => {
  it.each(names)("%s compiles to the pipeline of its golden", async (name) => {
    const text = readFileSync(join(clean, name), "utf8")
    const { definition } = checkText(name, text)
    const resources = fakeResources(promptsOf(definition!))
    const pipeline = compile(definition!, {
      inputs: inputSchema(definition!),
      resources,
      tools: mergeTools([], resources.tools),
      facts: new Map(),
      models: new ModelRegistry(definition!, resources.components.providers),
      prompts: compilePrompts(promptModes(definition!, resources), resources.prompts),
      workflows: new Map(),
      listProblems: [],
      roots: [],
    })
    const golden = join(folder, "plan", name.replace(/\.yaml$/, ".out"))
    await expect(`${explainPipeline(pipeline)}\n`).toMatchFileSnapshot(golden)
  })
})
