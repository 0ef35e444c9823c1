/** Names in files and sections that stand for something else of the workflow: whether it exists. */
import { existsSync } from "node:fs"
import type { Json, Known, Reference } from "@planloom/plugin"
import { hint } from "@planloom/expression/suggestion"
import { isObject } from "@planloom/schema"
import { beside } from "../../source/beside.ts"
import type { Definition, DocumentPath } from "../Definition.ts"
import type { Problem } from "../Problem.ts"
import type { Resources } from "../Resources.ts"

/** Codes of references that rules of their own report, too. */
const codes: { readonly [to: string]: string } = {
  stage: "PL4003",
  tool: "PL4008",
  template: "PL4009",
  model: "PL4010",
  reader: "PL4026",
  file: "PL4011",
  workflow: "PL4011",
  prompt: "PL5001",
}

/** What things are called in messages. */
const nouns: { readonly [to: string]: string } = {
  stage: "stage kind",
  template: "plan template",
  index: "index",
}

/** `Known` with the names of each kind of thing, for suggestions. */
export interface SearchableKnown extends Known {
  readonly namesOf: (to: string) => ReadonlyArray<string>
}

/** What a workflow knows, seen from a file: `file` and `workflow` are paths relative to it. */
export const knownFrom = (
  file: string,
  definition: Definition,
  resources: Omit<Resources, "examples">,
): SearchableKnown => {
  const { components } = resources
  const namesOf = (to: string): ReadonlyArray<string> => {
    switch (to) {
      case "tool":
        return resources.tools.map(({ name }) => name)
      case "template":
        return resources.templates.map(({ name }) => name)
      case "prompt":
        return Object.keys(definition.prompts)
      case "model":
        return Object.keys(definition.models)
      default: {
        const ofKind = components[`${to}${to === "index" ? "es" : "s"}` as keyof typeof components]
        return ofKind === undefined ? filesNamed(resources, to) : [...ofKind.keys()]
      }
    }
  }
  return {
    namesOf,
    has: ({ id, to }) => (isPath(to) ? existsSync(beside(file, id)) : namesOf(to).includes(id)),
    schemaOf: ({ id, to }) => {
      if (to === "tool") return resources.tools.find(({ name }) => name === id)?.params
      if (to === "stage") return components.stages.get(id)?.input
      return to === "workflow" ? resources.workflows?.get(id)?.outputs : undefined
    },
    files: (kind) => resources.files.get(kind) ?? [],
  }
}

/** For a file without a workflow: only paths can be checked, anything else is taken to exist. */
export const knownAlone = (file: string, kind: string, value: Json): SearchableKnown => ({
  namesOf: () => [],
  has: ({ id, to }) => !isPath(to) || existsSync(beside(file, id)),
  schemaOf: () => undefined,
  files: (wanted) => (wanted === kind ? [value] : []),
})

const isPath = (to: string): boolean => to === "file" || to === "workflow"

const filesNamed = ({ files }: Pick<Resources, "files">, kind: string): ReadonlyArray<string> =>
  (files.get(kind) ?? []).flatMap((value) => {
    const name = isObject(value) ? value["name"] : undefined
    return typeof name === "string" ? [name] : []
  })

/** `base` is where the value that refers stands in its file. */
export const unknownReferences = (
  references: ReadonlyArray<Reference>,
  known: SearchableKnown,
  base: DocumentPath,
): ReadonlyArray<Problem> =>
  references
    .filter((reference) => !known.has(reference))
    .map(({ at, id, to }) => ({
      code: codes[to] ?? "PL4025",
      message: isPath(to)
        ? `"${id}" cannot be read: the file does not exist`
        : `there is no ${nouns[to] ?? to} "${id}"`,
      path: [...base, ...at],
      help: isPath(to)
        ? "paths are relative to this file's folder"
        : (hint(id, known.namesOf(to), "there are") ??
          `nothing that this workflow uses has a ${nouns[to] ?? to}`),
    }))
