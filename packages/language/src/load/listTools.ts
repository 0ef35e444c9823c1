/** The tools that each source of a workflow lists; one that cannot is reported and lists none. */
import * as Effect from "effect/Effect"
import { locateProblem } from "../definition/Problem.ts"
import type { KnownComponents } from "../definition/Resources.ts"
import type { Document } from "../source/Document.ts"
import type { Reading } from "./Reading.ts"

export const listTools = ({ tools }: KnownComponents, document: Document, reading: Reading) =>
  Effect.forEach([...tools.values()], (source) =>
    Effect.matchEffect(source.list, {
      onSuccess: (listed) => Effect.succeed({ source, tools: listed }),
      onFailure: (failure) =>
        Effect.sync(() => {
          reading.diagnostics.push(
            locateProblem(document, {
              code: "PL4013",
              severity: "warning",
              message: `the tool source "${source.id}" cannot list its tools: ${failure.message}; only the catalogs' entries are known`,
              path: ["use", "plugins"],
              spot: "key",
            }),
          )
          return { source, tools: [] }
        }),
    }),
  )
