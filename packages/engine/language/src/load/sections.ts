/** Keys that the language does not have → sections of plugins, checked and bound. */
import { basename } from "node:path"
import type { Bound, Json, JsonObject, SectionKind } from "@planloom/plugin/effect"
import { suggest } from "@planloom/expression/suggestion"
import type { Definition } from "../definition/Definition.ts"
import { locateProblem, type Problem } from "../definition/Problem.ts"
import type { PluginSection, Resources } from "../definition/Resources.ts"
import { formattedTexts, schemaFit } from "../definition/schemaFit.ts"
import { knownFrom } from "../definition/scope/Known.ts"
import { unknownReferences } from "../definition/scope/uses/unknownReferences.ts"
import { declarePlugin } from "../definition/scope/unknownId.ts"
import { nearKey } from "../definition/Fix.ts"
import { declaring } from "../definition/restructure.ts"
import type { ExtraKey } from "../definition/Shape.ts"
import type { Diagnostic } from "../source/Diagnostic.ts"
import type { Document } from "../source/Document.ts"
import { examineExpressions } from "./check/checkExpressions.ts"
import { gateProblems } from "./check/checkGates.ts"
import { checkHooks, type HookedSection } from "./check/checkHooks.ts"
import { toProblem } from "./check/checkUsedFiles.ts"
import { isDeclared } from "./plugins/declaredPlugin.ts"
import type { NamedManifest } from "./plugins/manifests.ts"
import type { FoundProject } from "./project.ts"
import type { SectionKinds } from "./SectionKinds.ts"
import type { UsedFile } from "./usedFiles.ts"
import { stackOf } from "../source/loadModule.ts"
import { pluginCodeFailed } from "../definition/pluginCodeFailed.ts"

/** A section whose value matches its schema. */
export interface WrittenSection {
  readonly document: Document
  readonly extra: ExtraKey
  readonly kind: SectionKind
  /** Its value does not match its schema, so the plugin's code does not receive it. */
  readonly isBroken: boolean
}

/** Each extra key of a document is a section, or else reported as an unknown key. */
export const writtenSections = (
  document: Document,
  extras: ReadonlyArray<ExtraKey>,
  kinds: SectionKinds,
  manifests: ReadonlyArray<NamedManifest>,
): {
  readonly sections: ReadonlyArray<WrittenSection>
  readonly diagnostics: ReadonlyArray<Diagnostic>
} => {
  const sections: Array<WrittenSection> = []
  const problems: Array<Problem> = []
  for (const extra of extras) {
    const { key, on, path, problem, value } = extra
    const kind = kinds.find(on, key)
    if (kind === undefined) {
      const near = suggest(key, kinds.keys(on))
      const owner = manifests.find(({ manifest }) =>
        Object.hasOwn(manifest.contributes.sections?.[on] ?? {}, key),
      )
      const help = owner
        ? declarePlugin(owner.name)
        : near === undefined
          ? problem.help
          : `did you mean "${near}"?`
      const fix = owner ? declaring(owner.name) : (nearKey(key, kinds.keys(on), []) ?? problem.fix)
      problems.push({ ...problem, help, fix })
      continue
    }
    const wrong = schemaFit(value, kind.schema, [...path, key], `"${key}"`)
    problems.push(...wrong)
    sections.push({ document, extra, kind, isBroken: wrong.length > 0 })
  }
  return { sections, diagnostics: problems.map((problem) => locateProblem(document, problem)) }
}

/** Keys of used files that are sections of the workflow, by file. */
export const usedExtras = (
  used: ReadonlyArray<UsedFile>,
): ReadonlyArray<{ readonly document: Document; readonly extras: ReadonlyArray<ExtraKey> }> =>
  used.map(({ document, loaded, value }) => ({
    document,
    extras: (loaded.from?.sections ?? []).flatMap((key) => {
      const entry = (value as JsonObject)[key]
      const problem = {
        code: "PL0101",
        message: `no declared plugin gives the key "${key}" of a workflow a meaning`,
        path: [key],
        spot: "key" as const,
      }
      return entry === undefined
        ? []
        : [{ on: "workflow" as const, path: [], key, value: entry, problem }]
    }),
  }))

/** Sections of the project file that are for this workflow: those of plugins it does not declare are for others. */
export const projectExtras = (
  { document, extras }: FoundProject,
  kinds: SectionKinds,
  manifests: ReadonlyArray<NamedManifest>,
) => ({
  document,
  extras: extras.filter(
    ({ key }) =>
      kinds.find("project", key) !== undefined ||
      !manifests.some(({ manifest }) =>
        Object.hasOwn(manifest.contributes.sections?.project ?? {}, key),
      ),
  ),
})

/** Binds sections to the workflow around them; a problem with one does not affect the others. */
export const bindSections = (
  written: ReadonlyArray<WrittenSection>,
  definition: Definition,
  resources: Resources,
): {
  readonly sections: ReadonlyArray<PluginSection>
  readonly diagnostics: ReadonlyArray<Diagnostic>
} => {
  const sections: Array<PluginSection> = []
  const hooked: Array<HookedSection> = []
  const diagnostics: Array<Diagnostic> = []
  for (const one of written) {
    const { document, extra, isBroken, kind } = one
    const { key, on, path, value } = extra
    if (isBroken) {
      sections.push({ on, key, path, value, bound: {}, isOpen: true })
      continue
    }
    const at = [...path, key]
    const report = (problems: ReadonlyArray<Problem>) =>
      diagnostics.push(...problems.map((problem) => locateProblem(document, problem)))
    try {
      const known = knownFrom(document.file.path, definition, resources)
      const expressions = examineExpressions(
        kind.expressions?.(value, known),
        value,
        at,
        definition,
        resources,
      )
      report([
        ...unknownReferences([...pathsIn(value, kind), ...(kind.refers?.(value) ?? [])], known, at),
        ...(kind.check?.(value, known) ?? []).map((problem) => toProblem(problem, at)),
        ...expressions.problems,
      ])
      const bound = kind.bind?.(value, known) ?? {}
      const variables = kind.variables?.(value)
      report([
        ...secondGate(key, at, bound, sections),
        ...gateProblems(key, at, bound, definition, resources),
        ...stageVariants(extra, at, bound),
        ...givenTwice(key, at, variables, sections),
      ])
      const section: PluginSection = {
        on,
        key,
        path,
        value,
        bound,
        file: document.file.path,
        ...(variables && { variables }),
        ...(expressions.references.length > 0 && { references: expressions.references }),
        ...(isDeclared(kind) && { isOpen: true }),
      }
      sections.push(section)
      hooked.push({ document, section })
    } catch (error) {
      report([
        {
          code: "PL4001",
          message: pluginCodeFailed(`"${key}"`, error),
          path: at,
          spot: "key",
          ...stackOf(error),
        },
      ])
    }
  }
  const around = { ...resources, pluginSections: sections }
  return {
    sections,
    diagnostics: [...diagnostics, ...checkHooks(hooked, definition, around)],
  }
}

const pathsIn = (value: Json, { schema }: SectionKind) =>
  formattedTexts(value, schema)
    .filter(({ format }) => format === "path")
    .map(({ path, text }) => ({ to: "file", id: text, at: path }))

/** Rejects variants of a stage: they are assigned when the run starts. */
const stageVariants = (
  { key, on }: ExtraKey,
  path: Problem["path"],
  { variants }: Bound,
): ReadonlyArray<Problem> =>
  on === "stage" && variants !== undefined
    ? [
        {
          code: "PL4004",
          message: `"${key}" binds variants of experiments to a stage`,
          path,
          spot: "key",
          help: "experiments belong to the workflow or the project",
        },
      ]
    : []

/** Rejects a name that another file gives expressions already. */
const givenTwice = (
  key: string,
  path: Problem["path"],
  variables: PluginSection["variables"] = {},
  sections: ReadonlyArray<PluginSection>,
): ReadonlyArray<Problem> => {
  const place = path.slice(0, -1).join("/")
  return Object.keys(variables).flatMap((name) => {
    const other = sections.find(
      (one) =>
        one.key === key && one.path.join("/") === place && Object.hasOwn(one.variables ?? {}, name),
    )
    return other === undefined
      ? []
      : [
          {
            code: "PL4004",
            message: `${key}.${name} is already declared${other.file === undefined ? "" : ` in ${basename(other.file)}`}`,
            path: [...path, name],
            spot: "key" as const,
            help: "rename or remove one of them",
          },
        ]
  })
}

/** Rejects a second gate at one place: a reply passes one gate, so that one text settles it. */
const secondGate = (
  key: string,
  path: Problem["path"],
  { gate }: Bound,
  sections: ReadonlyArray<PluginSection>,
): ReadonlyArray<Problem> => {
  const place = path.slice(0, -1).join("/")
  const other =
    gate &&
    sections.find(({ bound, path: at }) => bound.gate !== undefined && at.join("/") === place)
  return other === undefined
    ? []
    : [
        {
          code: "PL4004",
          message: `"${key}" binds a gate, and so does "${other.key}"`,
          path,
          spot: "key",
          help: "remove one: a reply passes one gate, that of its stage or else that of its workflow",
        },
      ]
}
