/** Checks the sections of prompts that options of hooks name: those that do not exist, and texts that get lost. */
import {
  hookPoints,
  type AnyHook,
  type JsonObject,
  type SectionEdit,
} from "@planloom/plugin/effect"
import { orderHooks } from "@planloom/plugin/hooks"
import { hint } from "@planloom/expression/suggestion"
import type { DocumentPath } from "../definition/Definition.ts"
import { locateProblem, type Problem } from "../definition/Problem.ts"
import type { Analysis } from "../definition/scope/Analysis.ts"
import type { Diagnostic } from "../source/Diagnostic.ts"
import type { PlacedHook } from "./check/checkHookOrder.ts"
import { sectionNames } from "./check/hookFilterNames.ts"

/** The edits of a hook by its options, whose shape is checked before; those that an expression names are unknown. */
export const editsOf = ({ edits }: AnyHook, options: JsonObject): ReadonlyArray<SectionEdit> =>
  (edits?.(options) ?? []).filter(({ section }) => !section.includes("${{"))

export const unknownSections = (
  edits: ReadonlyArray<SectionEdit>,
  place: DocumentPath,
  analysis: Analysis,
): ReadonlyArray<Problem> => {
  const known = edits.length === 0 ? [] : sectionNames(analysis)
  return edits.flatMap(({ at, section }) =>
    known.includes(section)
      ? []
      : [
          {
            code: "PL5003",
            message: `there is no section "${section}"`,
            path: [...place, ...at],
            help: hint(section, known, "there are"),
          },
        ],
  )
}

const isOf = (point: string) =>
  hookPoints.some(({ id, scope }) => id === point && scope === "stage")

/** Texts that hooks write into a section and another one replaces after them. */
export const lostEdits = (
  placed: ReadonlyArray<PlacedHook>,
  analysis: Analysis,
): ReadonlyArray<Diagnostic> => {
  const edited = placed.filter(({ edits, hook }) => edits.length > 0 && isOf(hook.point))
  if (edited.length < 2) return []
  const found = new Map<DocumentPath, Diagnostic>()
  for (const { path, stage } of analysis.tree.all) {
    const here = edited.filter(
      ({ only, owner }) =>
        owner.every((step, index) => path[index] === step) &&
        only?.stage?.includes(stage.id) !== false,
    )
    const { order } = orderHooks(here.filter(({ hook }) => hook.point === "section_build"))
    for (const [at, later] of order.entries()) {
      for (const { section } of replaced(later, "replace")) {
        const earlier = order.slice(0, at).find((one) => writes(one, section))
        if (earlier !== undefined) report(found, later, earlier, section)
      }
    }
    for (const swap of here.filter(({ hook }) => hook.point === "pre_assembly")) {
      for (const { section } of replaced(swap, "swap")) {
        const lost = order.find((one) => one.at !== swap.at && writes(one, section))
        if (lost !== undefined) report(found, swap, lost, section)
      }
    }
  }
  return [...found.values()]
}

const replaced = ({ edits }: PlacedHook, how: SectionEdit["does"]) =>
  edits.filter(({ does }) => does === how)

/** Whether a hook writes a text into the section. */
const writes = ({ edits }: PlacedHook, section: string): boolean =>
  edits.some((one) => one.section === section && (one.does === "append" || one.does === "replace"))

const report = (
  found: Map<DocumentPath, Diagnostic>,
  { at, document, hook, locate }: PlacedHook,
  earlier: PlacedHook,
  section: string,
): void => {
  if (found.has(at)) return
  const { id } = earlier.hook
  found.set(
    at,
    locateProblem(document, {
      code: "PL4052",
      severity: "warning",
      message: `the hook "${hook.id}" replaces the section "${section}", into which "${id}" writes`,
      path: locate("use"),
      help:
        hook.point === "section_build"
          ? `let it run before: before: ${id}; or give one of them a section of its own`
          : "give one of them a section of its own",
    }),
  )
}
