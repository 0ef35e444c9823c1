/** Checks the expressions of tools, in catalogs at their locations and in tool sources. */
import type { Tool } from "@planloom/plugin/effect"
import { isObject } from "@planloom/schema"
import { locateProblem } from "../definition/Problem.ts"
import { examineTool } from "../definition/scope/examineTools.ts"
import type { Catalog } from "../definition/shape/catalog.ts"
import type { Diagnostic } from "../source/Diagnostic.ts"
import type { Document } from "../source/Document.ts"
import type { ListedTools } from "./listTools.ts"
import type { ToolRegistry } from "./ToolRegistry.ts"
import type { UsedFile } from "./usedFiles.ts"

/** Expressions of catalogs are checked against the schemas of the sources that run their tools. */
export const checkCatalogTools = (
  used: ReadonlyArray<UsedFile>,
  registry: ToolRegistry,
): ReadonlyArray<Diagnostic> =>
  used.flatMap(({ document, kind, value }) =>
    kind === "Catalog"
      ? problemsIn(document, value as Catalog, (tool) => {
          const { params, result } = registry.get(tool.name)!.tool
          return { ...tool, params, ...(result === undefined ? {} : { result }) }
        })
      : [],
  )

/** A catalog outside any workflow: what it leaves to the sources of its tools may be anything. */
export const checkCatalogAlone = ({ document, kind, value }: UsedFile): ReadonlyArray<Diagnostic> =>
  kind === "Catalog"
    ? problemsIn(document, value as Catalog, (tool, written) => ({
        ...tool,
        params: Object.hasOwn(written, "params") ? tool.params : true,
      }))
    : []

const problemsIn = (
  document: Document,
  { tools }: Catalog,
  complete: (tool: Tool, written: object) => Expressive,
): ReadonlyArray<Diagnostic> =>
  tools.flatMap((tool, index) => {
    if (tool.summarize === undefined && tool.normalize === undefined) return []
    const { tools: entries } = document.value as { readonly tools: ReadonlyArray<unknown> }
    const written = entries[index]
    return examineTool(complete(tool, isObject(written) ? written : {}), ["tools", index]).map(
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
      examineTool(tool, []).map(({ message, path }) =>
        locateProblem(document, {
          code: "PL4001",
          message: `the tool "${tool.name}" of the source "${source.id}": ${path.join(".")}: ${message}`,
          path: ["use", "plugins"],
          spot: "key",
        }),
      ),
    ),
  )
