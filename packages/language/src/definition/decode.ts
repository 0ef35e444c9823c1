/** A document → what it says: every mistake of form in one go, each at its place. */
import type { Diagnostic } from "../source/Diagnostic.ts"
import { sortDiagnostics } from "../source/Diagnostic.ts"
import type { Document, DocumentPath } from "../source/Document.ts"
import type { PlanTemplate } from "@planloom/plugin"
import { suggest } from "@planloom/expression/suggestion"
import type { Definition } from "./Definition.ts"
import { locateProblem } from "./Problem.ts"
import type { Problem } from "./Problem.ts"
import { describeJson, isObject } from "./Shape.ts"
import type { DecodeContext, Shape } from "./Shape.ts"
import { apiVersion } from "./shape/header.ts"
import { catalog } from "./shape/catalog.ts"
import type { Catalog } from "./shape/catalog.ts"
import type { Example } from "./Examples.ts"
import { examples } from "./shape/examples.ts"
import { models } from "./shape/models.ts"
import type { Models } from "./shape/models.ts"
import { planTemplate } from "./shape/planTemplate.ts"
import { project } from "./shape/project.ts"
import type { Project } from "./shape/project.ts"
import { workflow } from "./shape/workflow.ts"

/** The kinds of files that the engine reads by itself. Other packages bring theirs (`LoadOptions.kinds`). */
export const ownKinds = [
  "Workflow",
  "HookSet",
  "PlanTemplate",
  "Catalog",
  "Models",
  "Examples",
  "Project",
] as const

export type OwnKind = (typeof ownKinds)[number]

export interface Decoded<A> {
  /** Present as soon as the file is of the right kind. Where something is wrong, a harmless value stands in. */
  readonly definition?: A
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

/** Reads a document as one kind of file; `known` are the kinds that its `kind` may name. */
export const decodeAs = <A>(
  kind: string,
  shape: Shape<A>,
  document: Document,
  known: ReadonlyArray<string> = ownKinds,
): Decoded<A> => {
  const problems: Array<Problem> = []
  const header = headerProblem(kind, document, known)
  if (header) return { diagnostics: [locateProblem(document, header)] }
  const definition = shape.decode(document.value, contextAt([], problems))
  return {
    definition,
    diagnostics: sortDiagnostics(problems.map((one) => locateProblem(document, one))),
  }
}

const contextAt = (path: DocumentPath, problems: Array<Problem>): DecodeContext => ({
  path,
  at: (segment) => contextAt([...path, segment], problems),
  problem: (problem) => problems.push({ ...problem, path }),
})

/** The kind of file that a document names, if it is a known one. */
export const fileKindOf = <Kind extends string = OwnKind>(
  document: Document,
  known: ReadonlyArray<Kind | OwnKind> = ownKinds,
): Kind | OwnKind | undefined => {
  const { value } = document
  const kind = isObject(value) ? value["kind"] : undefined
  return known.find((one) => one === kind)
}

/** A file of another kind or version is told so, and nothing else. */
const headerProblem = (
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
  if (version !== undefined && version !== apiVersion) {
    return {
      code: "PL0111",
      message: `unknown apiVersion ${JSON.stringify(version)}`,
      path: ["apiVersion"],
      help: `this is what is read here: apiVersion: ${apiVersion}`,
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
  }
}

export const decodeWorkflow = (
  document: Document,
  known?: ReadonlyArray<string>,
): Decoded<Definition> => decodeAs("Workflow", workflow, document, known)

export const decodeCatalog = (document: Document): Decoded<Catalog> =>
  decodeAs("Catalog", catalog, document)

export const decodePlanTemplate = (document: Document): Decoded<PlanTemplate> =>
  decodeAs("PlanTemplate", planTemplate, document)

export const decodeModels = (document: Document): Decoded<Models> =>
  decodeAs("Models", models, document)

export const decodeExamples = (document: Document): Decoded<ReadonlyArray<Example>> =>
  decodeAs("Examples", examples, document)

export const decodeProject = (document: Document): Decoded<Project> =>
  decodeAs("Project", project, document)
