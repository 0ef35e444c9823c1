/** Checks the workflows that stages run by a literal path. */
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { literalEntries } from "@planloom/expression"
import type { Definition, DocumentPath, Fallback, Stage } from "../definition/Definition.ts"
import { locateProblem } from "../definition/Problem.ts"
import type { Resources } from "../definition/Resources.ts"
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
    if (inner.workflow !== undefined) checked.set(name, inner.workflow)
  }
  return checked
})

export const namedWorkflows = (
  definition: Definition,
  { components }: Resources,
): ReadonlyArray<NamedWorkflow> => {
  const ofWork = (work: Pick<Stage, "uses" | "with"> | Fallback, at: DocumentPath) => {
    const kind = work.uses === undefined ? undefined : components.stages.get(work.uses)
    return (kind?.workflowsOf?.(literalEntries(work.with)) ?? []).map((name) => ({
      name,
      at: [...at, "with"],
    }))
  }
  const ofBlock = (stages: ReadonlyArray<Stage>, at: DocumentPath): ReadonlyArray<NamedWorkflow> =>
    stages.flatMap((stage, index) => {
      const here = [...at, index]
      return [
        ...ofWork(stage, here),
        ...(stage.fallback === undefined ? [] : ofWork(stage.fallback, [...here, "fallback"])),
        ...ofBlock(stage.stages ?? [], [...here, "stages"]),
      ]
    })
  return [...ofBlock(definition.stages, ["stages"]), ...ofBlock(definition.finally, ["finally"])]
}
