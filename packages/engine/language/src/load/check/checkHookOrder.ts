/** Checks the order of hooks: those that wait for each other at some stage, and names that no hook has. */
import {
  hookPoints,
  type AnyHook,
  type HookFilter,
  type SectionEdit,
} from "@planloom/plugin/effect"
import { orderHooks } from "@planloom/plugin/hooks"
import type { DocumentPath } from "../../definition/Definition.ts"
import { locateProblem } from "../../definition/Problem.ts"
import type { Resources } from "../../definition/Resources.ts"
import type { Analysis } from "../../definition/scope/Analysis.ts"
import type { Diagnostic } from "../../source/Diagnostic.ts"
import type { Document } from "../../source/Document.ts"

/** A hook in use at one point, with its location. */
export interface PlacedHook {
  readonly hook: AnyHook
  /** Of its use, the same for each of its points. */
  readonly at: DocumentPath
  /** The location of a key of its use, if the file has it, or else of its use. */
  readonly locate: (key: string) => DocumentPath
  readonly document: Document
  /** The workflow or stage. */
  readonly owner: DocumentPath
  readonly only?: HookFilter | undefined
  /** Sections that its options name. */
  readonly edits: ReadonlyArray<SectionEdit>
}

export const orderProblems = (
  placed: ReadonlyArray<PlacedHook>,
  analysis: Analysis,
  { components }: Resources,
): ReadonlyArray<Diagnostic> => {
  const ids = new Set([...components.hooks.keys(), ...placed.map(({ hook }) => hook.id)])
  const found = new Map<DocumentPath, Diagnostic>()
  for (const { at, document, hook, locate } of placed) {
    const key = (["before", "after"] as const).find((one) => hook[one]?.some((id) => !ids.has(id)))
    if (key === undefined) continue
    const name = hook[key]!.find((id) => !ids.has(id))!
    found.set(
      at,
      locateProblem(document, {
        code: "PL4029",
        message: `the hook "${hook.id}" is declared to run before or after "${name}", which does not exist`,
        path: locate(key),
        help: "declare the plugin that has it, or correct the hook",
      }),
    )
  }
  const places: ReadonlyArray<DocumentPath> = [[], ...analysis.tree.all.map(({ path }) => path)]
  for (const path of places) {
    const here = placed.filter(({ owner }) => owner.every((step, index) => path[index] === step))
    for (const { id } of hookPoints) {
      const { cycle } = orderHooks(here.filter(({ hook }) => hook.point === id))
      const [first] = cycle ?? []
      if (cycle === undefined || found.has(first!.at)) continue
      const names = [...cycle, first!].map(({ hook }) => `"${hook.id}"`).join(" waits for ")
      found.set(
        first!.at,
        locateProblem(first!.document, {
          code: "PL4029",
          message: `the order of hooks at ${id} cannot be kept: ${names}`,
          path: first!.at,
          help: "remove one of them, or change its `before`, `after` or `phase`",
        }),
      )
    }
  }
  return [...found.values()]
}
