/** Checks what catalogs and tool sources say of tools: their expressions, and params that a source overrides. */
import type { Manifests } from "../../definition/scope/unknownId.ts"
import type { Json, JsonSchema, Tool, ToolSource } from "@planloom/plugin/effect"
import { canonicalJson, isObject, withoutAnnotations } from "@planloom/schema"
import { locateProblem } from "../../definition/Problem.ts"
import { examineTool, isExamined } from "../../definition/scope/examine/examineTools.ts"
import type { KnownComponents } from "../../definition/Resources.ts"
import type { Catalog } from "../../definition/shape/catalog.ts"
import type { Diagnostic } from "../../source/Diagnostic.ts"
import type { Document } from "../../source/Document.ts"
import { checkCatalogSources } from "./checkCatalogSources.ts"
import type { ListedTools } from "../tools/listTools.ts"
import { isPromised } from "../plugins/Registry.ts"
import type { ToolRegistry } from "../tools/ToolRegistry.ts"
import type { UsedFile } from "../usedFiles.ts"

/** Expressions of catalogs are checked against the schemas of the sources that run their tools. */
export const checkCatalogTools = (
  used: ReadonlyArray<UsedFile>,
  registry: ToolRegistry,
  sources: KnownComponents["tools"],
  manifests: Manifests | undefined,
): ReadonlyArray<Diagnostic> =>
  used.flatMap(({ document, kind, value }) =>
    kind === "Catalog"
      ? [
          ...overridden(document, value as Catalog, registry),
          ...checkCatalogSources(document, value as Catalog, registry, sources, manifests),
          ...problemsIn(document, value as Catalog, (tool, written) => {
            const { source, tool: known } = registry.get(tool.name)!
            if (source === undefined) return unlisted(tool, written)
            const { approval_fields: fields, params, result } = known
            return {
              ...tool,
              params,
              ...(result === undefined ? {} : { result }),
              ...(fields === undefined ? {} : { approval_fields: fields }),
            }
          }),
        ]
      : [],
  )

/** Params of a catalog that accept other values than those of the tool's source, which take precedence. */
const overridden = (
  document: Document,
  { tools }: Catalog,
  registry: ToolRegistry,
): ReadonlyArray<Diagnostic> =>
  tools.flatMap(({ name, params }, index) => {
    const { isFromCatalog = false, source, tool } = registry.get(name)!
    if (
      source === undefined ||
      isFromCatalog ||
      !Object.hasOwn(writtenAt(document, index), "params")
    )
      return []
    if (meaning(params) === meaning(tool.params)) return []
    return [
      locateProblem(document, {
        code: "PL4042",
        severity: "warning",
        message: `these params of "${name}" have no effect: its source "${source.id}" declares others`,
        path: ["tools", index, "params"],
        spot: "key",
        help: "remove them, or change them where the source declares the tool",
      }),
    ]
  })

/** The meaning of a schema, as text: an entry may repeat the schema without its descriptions. */
const meaning = (schema: JsonSchema): string => canonicalJson(withoutAnnotations(schema) as Json)

const writtenAt = (document: Document, index: number): object => {
  const { tools } = document.value as { readonly tools: ReadonlyArray<unknown> }
  const written = tools[index]
  return isObject(written) ? written : {}
}

/** A catalog outside any workflow: what it leaves to the sources of its tools may be anything. */
export const checkCatalogAlone = ({ document, kind, value }: UsedFile): ReadonlyArray<Diagnostic> =>
  kind === "Catalog" ? problemsIn(document, value as Catalog, unlisted) : []

/** A tool as its catalog alone describes it. */
const unlisted = (tool: Tool, written: object): Expressive => ({
  ...tool,
  params: Object.hasOwn(written, "params") ? tool.params : true,
})

const problemsIn = (
  document: Document,
  { tools }: Catalog,
  complete: (tool: Tool, written: object) => Expressive,
): ReadonlyArray<Diagnostic> =>
  tools.flatMap((tool, index) => {
    if (!isExamined(tool)) return []
    return examineTool(complete(tool, writtenAt(document, index)), ["tools", index]).map(
      (problem) => locateProblem(document, problem),
    )
  })

type Expressive = Parameters<typeof examineTool>[0]

/** A source is code: its problems are reported at the workflow's plugins. */
export const checkListedTools = (
  listed: ReadonlyArray<ListedTools>,
  document: Document,
): ReadonlyArray<Diagnostic> =>
  listed.flatMap(({ source, tools }) =>
    tools.flatMap((tool) =>
      [...(isExamined(tool) ? examineTool(tool, []) : []), ...withoutPreview(source, tool)].map(
        ({ message, path }) =>
          locateProblem(document, {
            code: "PL4001",
            message: `the tool "${tool.name}" of the source "${source.id}": ${path.join(".")}: ${message}`,
            path: ["use", "plugins"],
            spot: "key",
          }),
      ),
    ),
  )

const withoutPreview = (source: ToolSource, { approval_fields: fields }: Tool) =>
  fields === undefined || source.preview !== undefined || isPromised(source)
    ? []
    : [{ message: "the source has no `preview` that gives them", path: ["approval_fields"] }]
