/** Reports names in files, sections and stages that refer to nothing. */
import type { Reference } from "@planloom/plugin/effect"
import { hint } from "@planloom/expression/suggestion"
import type { DocumentPath } from "../../Definition.ts"
import { pluginCodeFailed } from "../../pluginCodeFailed.ts"
import { nearValue, type Fix } from "../../Fix.ts"
import type { Problem } from "../../Problem.ts"
import { schemaFit } from "../../schemaFit.ts"
import { isPath, type SearchableKnown } from "../Known.ts"
import { idFix, unknownId } from "../unknownId.ts"

/** Codes of references with a rule of their own. */
const codes: { readonly [to: string]: string } = {
  stage: "PL4003",
  tool: "PL4008",
  tools: "PL4008",
  model: "PL4010",
  file: "PL4011",
  workflow: "PL4011",
  image: "PL4011",
  prompt: "PL5001",
  mode: "PL5002",
}

/** `base` is where the value that refers stands in its file. */
export const unknownReferences = (
  references: ReadonlyArray<Reference>,
  known: SearchableKnown,
  base: DocumentPath,
): ReadonlyArray<Problem> => [
  ...references.flatMap((reference) => wrongOptions(reference, known, base)),
  ...references
    .filter((reference) => known.isUnlisted(reference))
    .map(({ at, id }): Problem => ({
      code: "PL4047",
      severity: "warning",
      message: `no source lists ${id.endsWith("*") ? "tools" : "a tool"} "${id}" now`,
      path: [...base, ...at],
      help: "check the name, or let its source read its list again",
    })),
  ...references
    .filter((reference) => !known.has(reference))
    .map((reference) => {
      const { at, id, to } = reference
      const noun = to === "stage" ? "stage kind" : to === "tools" ? "tool" : to
      return {
        code: codes[to] ?? "PL4025",
        message:
          isPath(to) || to === "image"
            ? `"${id}" cannot be read: the file does not exist`
            : `there is no ${noun} "${id}"`,
        path: [...base, ...at],
        help:
          placeOf(to) ??
          suggestionFor(reference, known) ??
          `nothing that this workflow uses has a ${noun}`,
        ...(placeOf(to) === undefined ? { fix: fixFor(reference, known) } : {}),
      }
    }),
]

const wrongOptions = (
  { at, id, to, with: options, withAt = at }: Reference,
  known: SearchableKnown,
  base: DocumentPath,
): ReadonlyArray<Problem> => {
  const facts = to === "reviewer" ? known.reviewer(id) : undefined
  if (facts === undefined) return []
  const { check, input } = facts
  const path = [...base, ...withAt]
  const given = options ?? {}
  const unfit = input === undefined ? [] : schemaFit(given, input, path, `\`with\` of "${id}"`)
  if (unfit.length > 0 || check === undefined) return unfit
  try {
    return check(given, known).map(({ at: inside, code, fix, message }) => ({
      code,
      message,
      // Without a `with` there is only the name.
      path: options === undefined ? path : [...path, ...inside],
      ...(fix === undefined ? {} : { help: fix }),
    }))
  } catch (error) {
    return [{ code: "PL4001", message: pluginCodeFailed(`reviewer "${id}"`, error), path }]
  }
}

const placeOf = (to: string): string | undefined =>
  isPath(to)
    ? "paths are relative to this file's folder"
    : to === "image"
      ? "an image is looked for in the working folder, then in the roots of the project"
      : undefined

const fixFor = (
  { id, to }: Reference,
  { componentOf, manifests, namesOf }: SearchableKnown,
): Fix | undefined => {
  const component = componentOf(to)
  return component === undefined
    ? nearValue(id, namesOf(to))
    : idFix(component, id, namesOf(to), manifests)
}

const suggestionFor = (
  { id, to }: Reference,
  { componentOf, manifests, namelessSources = [], namesOf }: SearchableKnown,
): string | undefined => {
  const names = namesOf(to)
  const near = hint(id, names, "there are")
  const [unnamed] = to === "tool" || to === "tools" ? namelessSources : []
  if (unnamed !== undefined) {
    const { plugin, source } = unnamed
    const promise = `if "${source}" of ${plugin} has it, promise the tools that its setup makes: provides: { tools: [{ id: "${source}", tools }] }`
    return near === undefined ? promise : `${near}${near.endsWith("?") ? " " : "; "}${promise}`
  }
  const component = componentOf(to)
  return component === undefined ? near : unknownId(component, id, names, near, manifests)
}
