/** A workflow's path → its diagnostics and, when none of them is an error, the workflow ready to run. */
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { decodeWorkflow } from "../definition/decode.ts"
import type { Definition } from "../definition/Definition.ts"
import { locateProblem } from "../definition/Problem.ts"
import { loadValidation } from "../definition/Validator.ts"
import { compile, inputSchema } from "../pipeline/compile.ts"
import { hasErrors, sortDiagnostics, type Diagnostic } from "../source/Diagnostic.ts"
import { parseDocument, type Document } from "../source/Document.ts"
import { isSourceFile, readSourceFile, type SourceFile } from "../source/SourceFile.ts"
import { mergeTools } from "../tool/ToolRegistry.ts"
import type { Checked } from "../Workflow.ts"
import type { LoadOptions } from "./LoadOptions.ts"
import { loadPlugins } from "./plugins.ts"
import { register } from "./Registry.ts"

export type Sources = ReadonlyMap<string, SourceFile>

export const checkWorkflow = Effect.fnUntraced(function* (
  path: string,
  options: LoadOptions,
  purpose: "check" | "load",
): Effect.fn.Return<Checked, never, Scope> {
  const diagnostics: Array<Diagnostic> = []
  const sources = new Map<string, SourceFile>()
  const checked = (workflow?: Checked["workflow"]): Checked => ({
    file: path,
    diagnostics: sortDiagnostics(diagnostics),
    sources,
    workflow,
  })
  const document = yield* Effect.promise(() => readDocument(path, sources, diagnostics))
  if (document === undefined) return checked()
  const decoded = decodeWorkflow(document)
  diagnostics.push(...decoded.diagnostics)
  const { definition } = decoded
  if (definition === undefined) return checked()
  const secretOf = options.secret ?? ((name: string) => process.env[name])
  const { plugins, troubles } = yield* loadPlugins({
    names: definition.use.plugins,
    configs: {},
    host: {
      root: dirname(path),
      secret: (name) => (definition.secrets.includes(name) ? secretOf(name) : undefined),
    },
    options,
    purpose,
  })
  for (const { code, help, index, message } of troubles) {
    diagnostics.push(
      locateProblem(document, { code, message, path: ["use", "plugins", index], help }),
    )
  }
  const { components } = register(plugins)
  const listed = yield* Effect.forEach([...components.tools.values()], (source) =>
    Effect.map(
      Effect.orElseSucceed(source.list, () => []),
      (tools) => ({ source, tools }),
    ),
  )
  const tools = mergeTools(listed, [])
  const resources = {
    components,
    tools: [...tools.values()].map(({ tool }) => tool),
    templates: [],
    prompts: new Map(),
    sections: new Map(),
  }
  if (hasErrors(diagnostics)) return checked()
  yield* Effect.promise(() => loadValidation(schemasOf(definition, resources.components.stages)))
  const pipeline = compile(definition, {
    resources,
    tools,
    prices: new Map(),
    workflows: new Map(),
  })
  const secrets = definition.secrets.flatMap((name) => secretOf(name) ?? [])
  return checked({ pipeline, definition, resources, secrets })
})

const schemasOf = (
  definition: Definition,
  stages: ReadonlyMap<string, { readonly input: unknown; readonly output: unknown }>,
) => [
  inputSchema(definition),
  ...[...stages.values()].flatMap(({ input, output }) => [
    input as boolean,
    typeof output === "function" ? { properties: {} } : (output as boolean),
  ]),
]

/** Reads and parses a YAML file; everything wrong with it goes to `diagnostics`. */
export const readDocument = async (
  path: string,
  sources: Map<string, SourceFile>,
  diagnostics: Array<Diagnostic>,
): Promise<Document | undefined> => {
  const file = await readSourceFile(path)
  if (!isSourceFile(file)) {
    diagnostics.push(file)
    return undefined
  }
  sources.set(path, file)
  const parsed = parseDocument(file)
  diagnostics.push(...parsed.diagnostics)
  return parsed.document
}
