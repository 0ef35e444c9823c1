/** Checks entries of catalogs that name the source of their tool: that it exists, and can run them. */
import type { Json, Tool, ToolSource } from "@planloom/plugin/effect"
import { unknownId, type Manifests } from "../../definition/scope/unknownId.ts"
import { hint } from "@planloom/expression/suggestion"
import { locateProblem, type Problem } from "../../definition/Problem.ts"
import type { KnownComponents } from "../../definition/Resources.ts"
import { schemaFit } from "../../definition/schemaFit.ts"
import type { Catalog } from "../../definition/shape/catalog.ts"
import type { Diagnostic } from "../../source/Diagnostic.ts"
import type { Document } from "../../source/Document.ts"
import { toProblem } from "./checkUsedFiles.ts"
import { isPromised } from "../plugins/Registry.ts"
import type { ToolRegistry } from "../tools/ToolRegistry.ts"

export const checkCatalogSources = (
  document: Document,
  { tools }: Catalog,
  registry: ToolRegistry,
  sources: KnownComponents["tools"],
  manifests: Manifests | undefined,
): ReadonlyArray<Diagnostic> =>
  tools.flatMap((entry, index) =>
    problemsOf(entry, registry, sources, manifests).map((problem) =>
      locateProblem(document, { ...problem, path: ["tools", index, ...problem.path] }),
    ),
  )

const problemsOf = (
  entry: Tool,
  registry: ToolRegistry,
  sources: KnownComponents["tools"],
  manifests: Manifests | undefined,
): ReadonlyArray<Problem> => {
  const { name, source: id } = entry
  if (id === undefined) {
    return entry.with === undefined
      ? []
      : [unusable(["with"], `"with" has no effect without "source"`, "name the tool source")]
  }
  const source = sources.get(id)
  if (source === undefined) {
    const known = [...sources.keys()]
    const help = unknownId("tools", id, known, hint(id, known, "the tool sources are"), manifests)
    return [unusable(["source"], `there is no tool source "${id}"`, help)]
  }
  const registered = registry.get(name)
  if (registered?.isFromCatalog !== true) {
    const owner = registered?.source?.id
    return [unusable(["source"], `"${name}" is a tool that the source "${owner}" lists itself`)]
  }
  return source.catalogTools === undefined
    ? isPromised(source)
      ? []
      : [unusable(["source"], `the tool source "${id}" does not run tools of catalogs`)]
    : sourceProblems(entry, source.catalogTools)
}

const sourceProblems = (
  entry: Tool,
  { check, schema }: NonNullable<ToolSource["catalogTools"]>,
): ReadonlyArray<Problem> => {
  const mismatches = schemaFit((entry.with ?? {}) as Json, schema, ["with"], "with")
  return mismatches.length > 0 ? mismatches : (check?.(entry) ?? []).map((one) => toProblem(one))
}

const unusable = (path: Problem["path"], message: string, help?: string): Problem => ({
  code: "PL4044",
  message,
  path,
  ...(help === undefined ? {} : { help }),
})
