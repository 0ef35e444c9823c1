/** Checks hooks that sections bind: ids, options, conditions, points and order, at their locations. */
import { hookPoints, type AnyHook, type HookUse } from "@planloom/plugin/effect"
import { parseDuration } from "@planloom/plugin/duration"
import { hooksInUse } from "@planloom/plugin/hooks"
import { noProof, typeOfSchema, type Environment } from "@planloom/expression/check"
import type { Definition } from "../../definition/Definition.ts"
import { locateProblem, type Problem } from "../../definition/Problem.ts"
import { schemaFit } from "../../definition/schemaFit.ts"
import type { PluginSection, Resources } from "../../definition/Resources.ts"
import { closedSchema } from "../../definition/scope/closedSchema.ts"
import { Analysis } from "../../definition/scope/Analysis.ts"
import { perItem } from "../../definition/scope/environment.ts"
import { Examination } from "../../definition/scope/examine/Examination.ts"
import { knownFrom } from "../../definition/scope/Known.ts"
import { unknownReferences } from "../../definition/scope/uses/unknownReferences.ts"
import type { Diagnostic } from "../../source/Diagnostic.ts"
import type { Document } from "../../source/Document.ts"
import { hookFault } from "../plugins/hookFault.ts"
import { nowhere, strayNames } from "./checkHookFilters.ts"
import { editsOf, lostEdits, unknownSections } from "../checkHookEdits.ts"
import { orderProblems, type PlacedHook } from "./checkHookOrder.ts"
import { inside } from "./locateHookUse.ts"
import { isPromised } from "../plugins/Registry.ts"

/** A section that binds hooks, and the file that it stands in. */
export interface HookedSection {
  readonly document: Document
  readonly section: PluginSection
}

export const checkHooks = (
  hooked: ReadonlyArray<HookedSection>,
  definition: Definition,
  resources: Resources,
): ReadonlyArray<Diagnostic> => {
  if (hooked.every(({ section }) => (section.bound.hooks ?? []).length === 0)) return []
  const analysis = new Analysis(definition, resources)
  const diagnostics: Array<Diagnostic> = []
  const placed: Array<PlacedHook> = []
  for (const { document, section } of hooked) {
    const report = (problems: ReadonlyArray<Problem>) =>
      diagnostics.push(...problems.map((problem) => locateProblem(document, problem)))
    for (const use of section.bound.hooks ?? []) {
      const at = [...section.path, section.key, ...(use.at ?? [])]
      const hook = typeof use.use === "string" ? resources.components.hooks.get(use.use) : use.use
      if (hook === undefined) {
        const reference = { to: "hook", id: String(use.use), at: inside(section, use, "use") }
        const known = knownFrom(document.file.path, definition, resources)
        report(unknownReferences([reference], known, [...section.path, section.key]))
        continue
      }
      if (isPromised(hook)) continue
      const fault = hookFault(hook)
      if (fault !== undefined) {
        report([{ code: "PL4001", message: fault, path: at }])
        continue
      }
      const hooks = hooksInUse(use, hook, section.on)
      const problems =
        hooks.length === 0
          ? nowhere(section, use, hook)
          : [...strayNames(section, use, analysis), ...problemsOf(section, use, hooks, analysis)]
      const edits = problems.length === 0 ? editsOf(hook, use.with ?? {}) : []
      const place = [...section.path, section.key, ...inside(section, use, "with")]
      report([...problems, ...unknownSections(edits, place, analysis)])
      const locate = (key: string) => [...section.path, section.key, ...inside(section, use, key)]
      for (const one of hooks)
        placed.push({
          hook: one,
          at,
          locate,
          document,
          owner: section.path,
          only: use.only,
          edits,
        })
    }
  }
  return [
    ...diagnostics,
    ...orderProblems(placed, analysis, resources),
    ...lostEdits(placed, analysis),
  ]
}

/** The problems of a use at its points; one that is the same at several is reported once. */
const problemsOf = (
  section: PluginSection,
  use: HookUse,
  hooks: ReadonlyArray<AnyHook>,
  analysis: Analysis,
): ReadonlyArray<Problem> => {
  const found = hooks.flatMap((hook) => problemsAt(section, use, hook, analysis))
  const texts = found.map((problem) => JSON.stringify(problem))
  return found.filter((_, index) => texts.indexOf(texts[index]!) === index)
}

const problemsAt = (
  section: PluginSection,
  use: HookUse,
  hook: AnyHook,
  analysis: Analysis,
): ReadonlyArray<Problem> => {
  const base = [...section.path, section.key]
  const point = hookPoints.find(({ id }) => id === hook.point)!
  const place = (key: string) => [...base, ...inside(section, use, key)]
  if (section.on === "stage" && point.scope === "workflow") {
    return [
      {
        code: "PL4028",
        message: `the hook "${hook.id}" runs at ${point.id}, which belongs to the whole run`,
        path: place("use"),
        help: `move it to "${section.key}" of the workflow`,
      },
    ]
  }
  const streamed = Object.entries(analysis.definition.outputs).find(([, { stream }]) => stream)
  if (streamed !== undefined && point.id === "before_response" && hook.kind === "transform") {
    return [
      {
        code: "PL5006",
        message: `the hook "${hook.id}" changes outputs, but "${streamed[0]}" is streamed`,
        path: place("use"),
        help: "remove `stream` from the output, or the hook",
      },
    ]
  }
  const examination = new Examination(analysis)
  const reading = { environment: environmentOf(section, hook, analysis), proof: noProof }
  examination.value(use.with ?? {}, place("with"), reading, {
    schema: closedSchema(hook.input ?? { type: "object" }),
    name: `the hook "${hook.id}"`,
    code: "PL4007",
  })
  if (use.when !== undefined) examination.condition(use.when, place("when"), reading)
  return [
    ...examination.problems,
    // What types cannot say, such as formats and bounds, of options without expressions.
    ...(examination.problems.length > 0 || JSON.stringify(use.with ?? {}).includes("${{")
      ? []
      : schemaFit(use.with ?? {}, hook.input ?? true, place("with"), "`with`")),
    ...(use.timeout === undefined || parseDuration(use.timeout) !== undefined
      ? []
      : [
          {
            code: "PL0105",
            message: `"${use.timeout}" is not a duration`,
            path: place("timeout"),
            help: "write 500ms, 30s, 5m or 1h30m",
          },
        ]),
  ]
}

/** What expressions of a hook read: variables of its place, `user`, and the draft of its point. */
const environmentOf = (section: PluginSection, hook: AnyHook, analysis: Analysis): Environment => {
  const node = analysis.tree.all.find(({ path }) => path.join("/") === section.path.join("/"))
  const base =
    node === undefined
      ? analysis.environment({ at: "end" })
      : perItem(analysis.environment({ at: "before", node }), analysis, node)
  const { stages, ...roots } = base.roots
  const draft = typeOfSchema(hookPoints.find(({ id }) => id === hook.point)!.draft)
  // Hooks of a workflow run in stages that come before others; only its outputs have all stages behind them.
  const isStagesKnown = node !== undefined || hook.point === "before_response"
  return {
    ...base,
    roots: {
      ...roots,
      ...(isStagesKnown && stages !== undefined ? { stages } : {}),
      draft: { type: draft, optional: false },
    },
  }
}
