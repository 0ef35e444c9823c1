/** A file of a kind that a plugin declares → its value, with everything that does not fit the kind's schema. */
import { isObject } from "@planloom/schema"
import type { FileKind, Json } from "@planloom/plugin/effect"
import { sortDiagnostics } from "../source/Diagnostic.ts"
import type { Document } from "../source/Document.ts"
import { headerProblem, type Decoded } from "./decode.ts"
import { locateProblem } from "./Problem.ts"
import { schemaFit } from "./schemaFit.ts"

/** The value is the file without `apiVersion` and `kind`; absent when something in it does not fit. */
export const decodeFile = (
  { kind, schema }: Pick<FileKind, "kind" | "schema">,
  document: Document,
  known: ReadonlyArray<string>,
): Decoded<Json> => {
  const header = headerProblem(kind, document, known)
  if (header) return { diagnostics: [locateProblem(document, header)] }
  const value = bodyOf(document.value)
  const problems = schemaFit(value, schema, [], "the file")
  return {
    ...(problems.length === 0 ? { definition: value } : {}),
    diagnostics: sortDiagnostics(problems.map((problem) => locateProblem(document, problem))),
  }
}

/** Keys that begin with x- are the author's own, as in every file. */
const bodyOf = (value: Json): Json =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).filter(
          ([key]) => key !== "apiVersion" && key !== "kind" && !key.startsWith("x-"),
        ),
      )
    : value
