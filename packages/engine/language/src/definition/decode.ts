/** Decodes a document as a kind of file and reports every mistake of form at once, each with its place. */
import { isObject } from "@planloom/schema"
import type { Json, JsonObject } from "@planloom/plugin/effect"
import type { Diagnostic } from "../source/Diagnostic.ts"
import { sortDiagnostics } from "../source/Diagnostic.ts"
import type { Document, DocumentPath } from "../source/Document.ts"
import { suggest } from "@planloom/expression/suggestion"
import type { Definition } from "./Definition.ts"
import { nearValue } from "./Fix.ts"
import { foreignFile } from "./foreignFile.ts"
import { first } from "./restructure.ts"
import { locateProblem } from "./Problem.ts"
import type { Problem } from "./Problem.ts"
import { describeJson } from "./Shape.ts"
import type { DecodeContext, ExtraKey, Shape } from "./Shape.ts"
import { apiVersion } from "./shape/header.ts"
import type { Example } from "./Examples.ts"
import { ownShapes, type OwnKind } from "./ownShapes.ts"
import type { Catalog } from "./shape/catalog.ts"
import type { Models } from "./shape/models.ts"
import type { Project } from "./shape/project.ts"

/** The language's own kinds of files; those of other packages register beside them. */
export const ownKinds = Object.keys(ownShapes) as ReadonlyArray<OwnKind>

export interface Decoded<A> {
  /** Present when the file has the right kind. A harmless value replaces each wrong one. */
  readonly definition?: A
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

/** Reads a document as one kind of file; `known` are the kinds that its `kind` may name. */
export const decodeAs = <A>(
  kind: string,
  shape: Shape<A>,
  document: Document,
  known: ReadonlyArray<string> = ownKinds,
  /** Collects keys that may be sections of plugins. */
  extras?: Array<ExtraKey>,
): Decoded<A> => {
  const problems: Array<Problem> = []
  const header = headerProblem(kind, document, known)
  if (header) return { diagnostics: [locateProblem(document, header)] }
  const value = { kind, ...(document.value as JsonObject) }
  const definition = shape.decode(value, contextAt([], problems, extras))
  if (fileKindOf(document) === undefined && value.kind === kind) {
    const help = `the kinds are: ${known.join(", ")}`
    const fix = isKind(kind, document.value) ? first(`kind: ${kind}`) : undefined
    problems.push({ code: "PL0102", message: 'the key "kind" is missing', path: [], help, fix })
  }
  return {
    definition,
    diagnostics: sortDiagnostics(problems.map((one) => locateProblem(document, one))),
  }
}

/** Decodes a value that stands at a path. */
export const decodeValue = <A>(
  shape: Shape<A>,
  value: Json,
  path: DocumentPath,
): { readonly decoded: A; readonly problems: ReadonlyArray<Problem> } => {
  const problems: Array<Problem> = []
  return { decoded: shape.decode(value, contextAt(path, problems, undefined)), problems }
}

const contextAt = (
  path: DocumentPath,
  problems: Array<Problem>,
  extras: Array<ExtraKey> | undefined,
): DecodeContext => ({
  path,
  at: (segment) => contextAt([...path, segment], problems, extras),
  ...(extras && { extra: (key) => extras.push(key) }),
  problem: (problem) => problems.push({ ...problem, path }),
})

/** The text that a document has under `kind:`. */
export const fileKindOf = ({ value }: Document): string | undefined => {
  const kind = isObject(value) ? value["kind"] : undefined
  return typeof kind === "string" ? kind : undefined
}

/** Rejects a file of another kind or version; its other problems would be consequences. */
export const headerProblem = (
  wanted: string,
  document: Document,
  known: ReadonlyArray<string>,
): Problem | undefined => {
  const { value } = document
  if (!isObject(value)) {
    return {
      code: "PL0103",
      message: `expected a mapping that begins with apiVersion and kind, found ${describeJson(value)}`,
      path: [],
    }
  }
  const { kind, apiVersion: version } = value
  if (kind === undefined && version === undefined) return withoutHeader(wanted, value)
  if (version !== undefined && version !== apiVersion) {
    return {
      code: "PL0111",
      message: `unknown apiVersion ${JSON.stringify(version)}`,
      path: ["apiVersion"],
      help: `this is what is read here: apiVersion: ${apiVersion}`,
      // A file of a later version may mean something else by the same words.
      fix: /^(?:planloom\/)?v?1(?:\.0)?$/i.test(String(version))
        ? { value: apiVersion }
        : undefined,
    }
  }
  if (kind === undefined || kind === wanted) return undefined
  const near = typeof kind === "string" ? suggest(kind, known) : undefined
  const isKnown = known.some((one) => one === kind)
  return {
    code: "PL0111",
    message: isKnown
      ? `expected a file of kind ${wanted}, found one of kind ${String(kind)}`
      : `unknown kind ${JSON.stringify(kind)}`,
    path: ["kind"],
    help:
      near !== undefined && !isKnown
        ? `did you mean "${near}"?`
        : `the kinds are: ${known.join(", ")}`,
    fix: isKnown ? undefined : nearValue(kind, known),
  }
}

/** Whether a file that does not say its kind can only be of this one. */
const isKind = (kind: string, value: Json): boolean =>
  kind === "Workflow" &&
  isObject(value) &&
  ["stages", "steps"].some((key) => typeof value[key] === "object")

/** A file of another tool, or one whose first lines are missing: what it is meant as is not known. */
const withoutHeader = (wanted: string, value: Json): Problem => {
  const foreign = foreignFile(value)
  return {
    code: "PL0102",
    message:
      foreign === undefined
        ? "the keys apiVersion and kind are missing"
        : `this is ${foreign.what}: the keys apiVersion and kind are missing`,
    path: [],
    help: foreign?.help ?? `begin the file with apiVersion: ${apiVersion} and kind: ${wanted}`,
    fix:
      foreign === undefined && isKind(wanted, value)
        ? first(`apiVersion: ${apiVersion}\nkind: ${wanted}`)
        : undefined,
  }
}

export const decodeWorkflow = (
  document: Document,
  known?: ReadonlyArray<string>,
  extras?: Array<ExtraKey>,
): Decoded<Definition> => decodeAs("Workflow", ownShapes.Workflow, document, known, extras)

export const decodeCatalog = (document: Document): Decoded<Catalog> =>
  decodeAs("Catalog", ownShapes.Catalog, document)

export const decodeModels = (document: Document): Decoded<Models> =>
  decodeAs("Models", ownShapes.Models, document)

export const decodeExamples = (document: Document): Decoded<ReadonlyArray<Example>> =>
  decodeAs("Examples", ownShapes.Examples, document)

export const decodeProject = (document: Document, extras?: Array<ExtraKey>): Decoded<Project> =>
  decodeAs("Project", ownShapes.Project, document, ownKinds, extras)
