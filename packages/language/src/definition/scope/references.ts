/** Names in files, sections and stages that stand for something else of the workflow: whether it exists. */
import { existsSync } from "node:fs"
import type { Json, Known, Reference } from "@planloom/plugin"
import { hint } from "@planloom/expression/suggestion"
import { isObject } from "@planloom/schema"
import { beside } from "../../source/beside.ts"
import type { Definition, DocumentPath } from "../Definition.ts"
import type { Problem } from "../Problem.ts"
import type { KnownComponents, Resources } from "../Resources.ts"
import { unknownId } from "./unknownId.ts"

/** Codes of references with a rule of their own. */
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
}

/** `Known` with a suggestion for a reference to nothing. */
export interface SuggestingKnown extends Known {
  readonly suggestFor: (reference: Reference) => string | undefined
}

/** What a workflow knows, seen from a file: `file` and `workflow` are paths relative to it. */
export const knownFrom = (
  file: string,
  definition: Definition,
  resources: Omit<Resources, "examples">,
): SuggestingKnown => {
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
        const kind = componentKind(to)
        return kind in components ? [...components[kind].keys()] : filesNamed(resources, to)
      }
    }
  }
  return {
    suggestFor: ({ id, to }) => {
      const names = namesOf(to)
      const near = hint(id, names, "there are")
      const kind = componentKind(to)
      return kind in components && to !== "tool"
        ? unknownId(kind, id, names, near, resources.manifests)
        : near
    },
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
export const knownAlone = (file: string, kind: string, value: Json): SuggestingKnown => ({
  suggestFor: () => undefined,
  has: ({ id, to }) => !isPath(to) || existsSync(beside(file, id)),
  schemaOf: () => undefined,
  files: (wanted) => (wanted === kind ? [value] : []),
})

const isPath = (to: string): boolean => to === "file" || to === "workflow"

const componentKind = (to: string) =>
  (to === "index" ? "indexes" : `${to}s`) as keyof KnownComponents

const filesNamed = ({ files }: Pick<Resources, "files">, kind: string): ReadonlyArray<string> =>
  (files.get(kind) ?? []).flatMap((value) => {
    const name = isObject(value) ? value["name"] : undefined
    return typeof name === "string" ? [name] : []
  })

/** `base` is where the value that refers stands in its file. */
export const unknownReferences = (
  references: ReadonlyArray<Reference>,
  known: SuggestingKnown,
  base: DocumentPath,
): ReadonlyArray<Problem> =>
  references
    .filter((reference) => !known.has(reference))
    .map((reference) => {
      const { at, id, to } = reference
      const noun = nouns[to] ?? to
      return {
        code: codes[to] ?? "PL4025",
        message: isPath(to)
          ? `"${id}" cannot be read: the file does not exist`
          : `there is no ${noun} "${id}"`,
        path: [...base, ...at],
        help: isPath(to)
          ? "paths are relative to this file's folder"
          : (known.suggestFor(reference) ?? `nothing that this workflow uses has a ${noun}`),
      }
    })
