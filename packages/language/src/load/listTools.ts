/** The tools that each source of a workflow lists; a source that lists none or only some is reported. */
import * as Effect from "effect/Effect"
import type { ToolSource } from "@planloom/plugin"
import { locateProblem } from "../definition/Problem.ts"
import type { KnownComponents } from "../definition/Resources.ts"
import type { Document } from "../source/Document.ts"
import type { Reading } from "./Reading.ts"

export const listTools = ({ tools }: KnownComponents, document: Document, reading: Reading) => {
  const report = ({ id }: ToolSource, what: string) =>
    reading.diagnostics.push(
      locateProblem(document, {
        code: "PL4013",
        severity: "warning",
        message: `the tool source "${id}" ${what}`,
        path: ["use", "plugins"],
        spot: "key",
      }),
    )
  return Effect.forEach([...tools.values()], (source) =>
    Effect.match(source.list, {
      onSuccess: ({ partial, tools: listed }) => {
        if (partial !== undefined) report(source, `lists only some of its tools: ${partial}`)
        return { source, tools: listed }
      },
      onFailure: ({ message }) => {
        report(source, `cannot list its tools: ${message}; only the catalogs' entries are known`)
        return { source, tools: [] }
      },
    }),
  )
}
