/** Reads the files under `use.files`, each by its kind. */
import { basename, dirname, extname, join } from "node:path"
import type { DeclaredValue, Json, Tool } from "@planloom/plugin/effect"
import { openInside, OutsideRoots } from "@planloom/plugin/roots"
import { suggest } from "@planloom/expression/suggestion"
import { fileKindOf } from "../definition/decode.ts"
import type { Definition } from "../definition/Definition.ts"
import { ownMember } from "../definition/ownMember.ts"
import { locateProblem, type Problem } from "../definition/Problem.ts"
import type { Catalog } from "../definition/shape/catalog.ts"
import type { Document } from "../source/Document.ts"
import { declarePlugin } from "../definition/scope/unknownId.ts"
import type { FileKinds } from "./FileKinds.ts"
import type { LoadedFileKind } from "./LoadOptions.ts"
import type { NamedManifest } from "./plugins/manifests.ts"
import { beside } from "../source/beside.ts"
import type { Reading } from "./Reading.ts"

export interface UsedFile {
  readonly kind: string
  readonly document: Document
  readonly value: unknown
  readonly loaded: LoadedFileKind
}

/** A file that is valid YAML, and its kind. */
export interface OpenedFile {
  readonly kind: string | undefined
  readonly document: Document
}

/** In declared order, each file once; one that cannot be read is reported and skipped. */
export const openUsedFiles = async (
  definition: Definition,
  document: Document,
  reading: Reading,
): Promise<ReadonlyArray<OpenedFile>> => {
  const opened: Array<OpenedFile> = []
  for (const [index, name] of definition.use.files.entries()) {
    const file = await reading.named(document, ["use", "files", index], name)
    const parsed = file && reading.parsed(file)
    if (parsed === undefined) continue
    const isKnown = opened.some(({ document: { file: known } }) => known.path === parsed.file.path)
    if (!isKnown) opened.push({ kind: fileKindOf(parsed), document: parsed })
  }
  return opened
}

/** Reads each file as its kind; one that cannot be used is reported and skipped. */
export const decodeUsedFiles = async (
  opened: ReadonlyArray<OpenedFile>,
  reading: Reading,
  kinds: FileKinds,
  manifests: ReadonlyArray<NamedManifest>,
): Promise<ReadonlyArray<UsedFile>> => {
  const used: Array<UsedFile> = []
  for (const { document, kind } of opened) {
    const loaded = await kinds.get(kind ?? "")?.load()
    if (kind === undefined || loaded?.decode === undefined || Object.hasOwn(placeOf, kind)) {
      const problem = unusable(document, kinds, kind, manifests)
      reading.diagnostics.push(locateProblem(document, problem))
      continue
    }
    const value = reading.decoded(loaded.decode(document, [...kinds.keys()]))
    if (value !== undefined) used.push({ kind, document, value, loaded })
  }
  return used
}

/** Kinds of files that are named elsewhere: nothing would read them under `use.files`. */
const placeOf: { readonly [kind: string]: string } = {
  Models: "name it in planloom.yaml: model_facts: [...]",
  Examples: "name it on a stage: examples: { file: ..., user: ... }",
}

const unusable = (
  { value }: Document,
  kinds: FileKinds,
  kind: string | undefined,
  manifests: ReadonlyArray<NamedManifest>,
): Problem => {
  const known = [...kinds.keys()]
  const listed = `the kinds are: ${known.join(", ")}`
  if (kind !== undefined && kinds.has(kind)) {
    return {
      code: "PL0111",
      message: `a workflow cannot use a file of kind ${kind}`,
      path: ["kind"],
      help: ownMember(placeOf, kind) ?? "remove it from use: { files: [...] }",
    }
  }
  const written = typeof value === "object" && value !== null && "kind" in value
  const near = kind === undefined ? undefined : suggest(kind, known)
  const owner = manifests.find(({ manifest }) =>
    manifest.contributes.fileKinds?.some((one) => one.kind === kind),
  )
  return written
    ? {
        code: "PL0111",
        message: `unknown kind ${JSON.stringify(value["kind"])}`,
        path: ["kind"],
        help: owner
          ? declarePlugin(owner.name)
          : near === undefined
            ? listed
            : `did you mean "${near}"?`,
      }
    : { code: "PL0102", message: 'the key "kind" is missing', path: [], help: listed }
}

/** Tools of the catalogs among the files, and contents of the kinds that plugins declare. */
export const contentsOf = async (used: ReadonlyArray<UsedFile>, reading: Reading) => {
  const tools: Array<Tool> = []
  const files = new Map<string, ReadonlyArray<DeclaredValue>>()
  for (const { document, kind, loaded, value } of used) {
    if (kind === "Catalog") {
      const all = (value as Catalog).tools.map((tool, index) =>
        withDocs(tool, index, document, reading),
      )
      tools.push(...(await Promise.all(all)))
    }
    if (loaded.from !== undefined) {
      const one = { value: value as Json, path: document.file.path }
      files.set(kind, [...(files.get(kind) ?? []), one])
    }
  }
  return { tools, files }
}

/**
 * `catalog/data.yaml` keeps the documentation of its tool `describe` in `catalog/data/describe/TOOL.md`. Models read it,
 * so a page outside the folder of the catalog is not used.
 */
const withDocs = async (
  { docs: named, ...tool }: Tool,
  index: number,
  document: Document,
  reading: Reading,
): Promise<Tool> => {
  const catalog = document.file.path
  const own = join(dirname(catalog), basename(catalog, extname(catalog)), tool.name, "TOOL.md")
  const docs = named === undefined ? own : beside(catalog, named)
  const problem = await unusablePage(docs, dirname(catalog))
  if (problem === undefined) return { ...tool, docs }
  if (named !== undefined) {
    reading.diagnostics.push(
      locateProblem(document, {
        code: "PL4011",
        message: `"${named}" ${problem}`,
        path: ["tools", index, "docs"],
        help: "put the page into the folder of the catalog, or below it",
      }),
    )
  }
  return tool
}

/** Why a page cannot be given to a model, once all links are followed. */
const unusablePage = async (path: string, folder: string): Promise<string | undefined> => {
  try {
    const { handle, stats } = await openInside(path, [folder])
    await handle.close()
    return stats.isFile() ? undefined : "is not a file"
  } catch (error) {
    return error instanceof OutsideRoots
      ? "is outside the folder of the catalog"
      : `cannot be read: ${String((error as NodeJS.ErrnoException).code ?? error)}`
  }
}
