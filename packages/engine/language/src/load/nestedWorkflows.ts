/** Checks the workflows that stages run by a literal path. */
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type { JsonSchema } from "@planloom/plugin/effect"
import type { Definition, DocumentPath } from "../definition/Definition.ts"
import { locateProblem } from "../definition/Problem.ts"
import { nestedUserProblem } from "../definition/nestedUserProblem.ts"
import type { Resources } from "../definition/Resources.ts"
import { stageReferences } from "../definition/scope/uses/stageReferences.ts"
import { stageTree } from "../definition/scope/StageTree.ts"
import type { Document } from "../source/Document.ts"
import type { Checked, ReadWorkflow } from "./Checked.ts"
import { beside } from "../source/beside.ts"
import type { Reading } from "./Reading.ts"

/** A workflow's path as a stage writes it, and where. */
export interface NamedWorkflow {
  readonly name: string
  readonly at: DocumentPath
}

export interface Nesting {
  readonly document: Document
  readonly named: ReadonlyArray<NamedWorkflow>
  /** Schema of the user that the outer workflow declares. */
  readonly user: JsonSchema | undefined
  readonly reading: Reading
  /** Paths of the enclosing workflows, this one last. */
  readonly within: ReadonlyArray<string>
  readonly check: (
    path: string,
    within: ReadonlyArray<string>,
  ) => Effect.Effect<Checked, never, Scope>
}

/** Checked workflows by path as written. Their problems are reported with the rest; a cycle is an error. */
export const nestedWorkflows = Effect.fnUntraced(function* ({
  check,
  document,
  named,
  reading,
  user,
  within,
}: Nesting): Effect.fn.Return<ReadonlyMap<string, ReadWorkflow>, never, Scope> {
  const checked = new Map<string, ReadWorkflow>()
  for (const { at, name } of named) {
    if (checked.has(name)) continue
    const path = beside(document.file.path, name)
    if (within.includes(path)) {
      reading.diagnostics.push(
        locateProblem(document, {
          code: "PL4012",
          message: `"${name}" runs this workflow again: ${[...within, path].join(" → ")}`,
          path: at,
        }),
      )
      continue
    }
    const file = yield* Effect.promise(() => reading.named(document, at, name))
    if (file === undefined) continue
    const inner = yield* check(path, within)
    reading.diagnostics.push(...inner.diagnostics)
    for (const [key, source] of inner.sources) reading.sources.set(key, source)
    if (inner.workflow === undefined) continue
    checked.set(name, inner.workflow)
    const problem = nestedUserProblem(name, user, inner.workflow.definition.user, at)
    if (problem !== undefined) reading.diagnostics.push(locateProblem(document, problem))
  }
  return checked
})

export const namedWorkflows = (
  definition: Definition,
  resources: Resources,
): ReadonlyArray<NamedWorkflow> =>
  stageReferences(stageTree(definition), resources).references.flatMap(({ at, id, to }) =>
    to === "workflow" ? [{ name: id, at }] : [],
  )
