/** Text of a workflow, or of a catalog → its diagnostics, the way the engine gets them. */
import { check } from "../src/definition/check.ts"
import {
  decodeCatalog,
  decodeExamples,
  decodeWorkflow,
  fileKindOf,
} from "../src/definition/decode.ts"
import type { ExamplesFile } from "../src/definition/Examples.ts"
import type { Definition } from "../src/definition/Definition.ts"
import { sortDiagnostics } from "../src/source/Diagnostic.ts"
import type { Diagnostic } from "../src/source/Diagnostic.ts"
import { parseDocument } from "../src/source/Document.ts"
import { sourceFile } from "../src/source/SourceFile.ts"
import type { SourceFile } from "../src/source/SourceFile.ts"
import { fakeResources } from "./fakeComponents.ts"

export interface CheckedText {
  readonly definition: Definition | undefined
  readonly diagnostics: ReadonlyArray<Diagnostic>
  readonly sources: ReadonlyMap<string, SourceFile>
}

export const checkText = (path: string, text: string): CheckedText => {
  const file = sourceFile(path, text)
  const parsed = parseDocument(file)
  const sources = new Map([[path, file]])
  if (!parsed.document) return { definition: undefined, diagnostics: parsed.diagnostics, sources }
  if (fileKindOf(parsed.document) === "Catalog") {
    const found = decodeCatalog(parsed.document).diagnostics
    const diagnostics = sortDiagnostics([...parsed.diagnostics, ...found])
    return { definition: undefined, diagnostics, sources }
  }
  const decoded = decodeWorkflow(parsed.document)
  const earlier = [...parsed.diagnostics, ...decoded.diagnostics]
  const { definition } = decoded
  if (!definition) return { definition, diagnostics: sortDiagnostics(earlier), sources }
  const prompts = promptsOf(definition)
  for (const [name, body] of Object.entries(prompts)) {
    sources.set(`prompts/${name}.md`, sourceFile(`prompts/${name}.md`, body))
  }
  const examples = new Map<string, ExamplesFile>()
  for (const [name, body] of Object.entries(exampleFiles)) {
    const shown = sourceFile(name, body)
    const document = parseDocument(shown).document!
    sources.set(name, shown)
    examples.set(name, { document, examples: decodeExamples(document).definition ?? [] })
  }
  const resources = { ...fakeResources(prompts), examples }
  const found = check(definition, resources, parsed.document, earlier)
  return { definition, diagnostics: sortDiagnostics([...earlier, ...found]), sources }
}

/** Prompt files that exist: every one whose path does not say `missing`. */
export const promptsOf = (definition: Definition): { readonly [name: string]: string } =>
  Object.fromEntries(
    Object.entries(definition.prompts)
      .filter(([, path]) => !path.includes("missing"))
      .map(([name]) => [
        name,
        (Object.hasOwn(bodies, name) ? bodies[name] : undefined) ??
          `# ${name}\n\nAnswer in one line.\n`,
      ]),
  )

/** The first fits nothing: an input too many, an output of the wrong type, a part that no output has. */
const exampleFiles = {
  "examples/plan.yaml": `apiVersion: planloom/v1
kind: Examples
examples:
  - inputs: { qestion: which region sold most }
    output: { confidence: high, requirements: [] }
    expect: { mood: good }
`,
  "examples/leaky.yaml": `apiVersion: planloom/v1
kind: Examples
examples:
  - inputs: { question: who owns AKIAIOSFODNN7EXAMPLE }
    output: { confidence: 1, requirements: [] }
`,
}

const bodies: { readonly [name: string]: string } = {
  planner: "# Plan\n\nThe question is: ${{ inputs.question }}\n",
  leaky: "# Plan\n\nUse the key AKIAIOSFODNN7EXAMPLE.\n",
  wrong: "# Plan\n\nThe question is: ${{ inputs.qestion }}\n",
}
