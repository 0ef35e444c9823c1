/** What a workflow has that files, sections and stages may refer to. */
import { resolve } from "node:path"
import {
  isToolPattern,
  mayMeanSame,
  meansTool,
  reviewerFacts,
  type Json,
  type JsonObject,
  type Known,
  type Reference,
} from "@planloom/plugin/effect"
import { isObject } from "@planloom/schema"
import { beside } from "../../source/beside.ts"
import { existsSync } from "../../source/FileSystem.ts"
import type { Definition } from "../Definition.ts"
import { inputSchema } from "../inputSchema.ts"
import { outputsSchema } from "../outputsSchema.ts"
import { modeNames } from "../promptModes.ts"
import type { KnownComponents, Resources } from "../Resources.ts"
import type { Manifests } from "./unknownId.ts"

/** `Known` with what suggestions need. */
export interface SearchableKnown extends Known {
  readonly namesOf: (to: string) => ReadonlyArray<string>
  /** Whether the reference is to tools that no source lists now, and that may exist. */
  readonly isUnlisted: (reference: Reference) => boolean
  /** The kind of component that a reference means; undefined for anything else. */
  readonly componentOf: (to: string) => keyof KnownComponents | undefined
  readonly manifests?: Manifests | undefined
  readonly namelessSources?: Resources["namelessSources"]
}

/** What a workflow knows, seen from a file: `file` and `workflow` are paths relative to it. */
export const knownFrom = (
  file: string,
  definition: Definition,
  resources: Omit<Resources, "examples">,
): SearchableKnown => {
  const { components } = resources
  const componentOf = (to: string) => {
    const kind = (to === "index" ? "indexes" : `${to}s`) as keyof KnownComponents
    return to !== "tool" && kind in components ? kind : undefined
  }
  const { openTools = [] } = resources
  const isListed = ({ id, to }: Reference): boolean =>
    to === "tools"
      ? resources.tools.some(({ name }) => meansTool(id, name))
      : namesOf(to).includes(id)
  const isUnlisted = (reference: Reference): boolean => {
    const { id, to } = reference
    const may =
      to === "tool"
        ? !isToolPattern(id) && openTools.some((one) => meansTool(one, id))
        : to === "tools" && openTools.some((one) => mayMeanSame(one, id))
    return may && !isListed(reference)
  }
  const namesOf = (to: string): ReadonlyArray<string> => {
    switch (to) {
      case "tool":
      case "tools":
        return resources.tools.map(({ name }) => name)
      case "prompt":
        return Object.keys(definition.prompts)
      case "reviewer":
        return [...components.subagents.keys(), ...components.validators.keys()]
      case "model":
        return Object.keys(definition.models)
      case "mode":
        return modeNames(definition)
      default: {
        const kind = componentOf(to)
        return kind === undefined ? filesNamed(resources, to) : [...components[kind].keys()]
      }
    }
  }
  return {
    namesOf,
    componentOf,
    manifests: resources.manifests,
    namelessSources: resources.namelessSources,
    isUnlisted,
    has: (reference) => {
      const { id, to } = reference
      return isPath(to)
        ? existsSync(beside(file, id))
        : to === "image"
          ? isReadable(id, resources.roots)
          : isListed(reference) || isUnlisted(reference)
    },
    schemaOf: ({ id, to }) => {
      if (to === "tool") return resources.tools.find(({ name }) => name === id)?.params
      if (to === "stage") return components.stages.get(id)?.input
      return to === "workflow" ? resources.workflows?.get(id)?.outputs : undefined
    },
    outputs: outputsSchema(definition),
    inputs: {
      ...(inputSchema(definition) as JsonObject),
      required: Object.keys(definition.inputs),
    },
    user: definition.user,
    hasSession: definition.session !== undefined,
    reviewer: (id) => reviewerFacts(id, components),
    files: (kind) => resources.files.get(kind) ?? [],
    declared: resources.declared,
  }
}

/** For a file without a workflow: only paths can be checked, anything else is taken to exist. */
export const knownAlone = (file: string, kind: string, value: Json): SearchableKnown => ({
  namesOf: () => [],
  isUnlisted: () => false,
  componentOf: () => undefined,
  has: ({ id, to }) => !isPath(to) || existsSync(beside(file, id)),
  schemaOf: () => undefined,
  reviewer: () => undefined,
  files: (wanted) => (wanted === kind ? [value] : []),
})

/** Targets that are paths, relative to the file that refers to them. */
export const isPath = (to: string): boolean => to === "file" || to === "workflow"

/** Whether a run finds the file: from the working folder, else from one of its roots. */
const isReadable = (path: string, roots: ReadonlyArray<string> | undefined): boolean =>
  roots === undefined ||
  existsSync(resolve(path)) ||
  roots.some((root) => existsSync(resolve(root, path)))

const filesNamed = ({ files }: Pick<Resources, "files">, kind: string): ReadonlyArray<string> =>
  (files.get(kind) ?? []).flatMap((value) => {
    const name = isObject(value) ? value["name"] : undefined
    return typeof name === "string" ? [name] : []
  })
