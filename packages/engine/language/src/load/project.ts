/** Reads the project file of a workflow, and the facts about models that it names. */
import { relative } from "node:path"
import * as Effect from "effect/Effect"
import type { Facts } from "@planloom/plugin/facts"
import { decodeModels, decodeProject } from "../definition/decode.ts"
import type { Project } from "../definition/shape/project.ts"
import type { ExtraKey } from "../definition/Shape.ts"
import type { Document } from "../source/Document.ts"
import { knownModels } from "./knownModels.ts"
import { searchProject } from "./projectFolder.ts"
import { Reading } from "./Reading.ts"

export interface FoundProject {
  readonly document: Document
  readonly project: Project
  /** Keys that may be sections of plugins. */
  readonly extras: ReadonlyArray<ExtraKey>
}

/** Undefined without a project file, or when it cannot be read, which is reported. */
export const findProject = async (
  folder: string,
  reading: Reading,
): Promise<FoundProject | undefined> => {
  const { file: path, ignored } = await searchProject(folder)
  for (const { file, why } of ignored) reading.ignored(relative("", file), why)
  if (path === undefined) return undefined
  const document = await reading.document(relative("", path))
  const extras: Array<ExtraKey> = []
  const project = document && reading.decoded(decodeProject(document, extras))
  return document && project && { document, project, extras }
}

/** The project file at or above a folder; undefined without one, or when it has problems, which `projectStore` reports. */
export const readProject = (folder: string): Effect.Effect<Project | undefined> =>
  Effect.map(
    Effect.promise(() => findProject(folder, new Reading())),
    (found) => found?.project,
  )

/** Facts by `provider/model`: the engine's own, overridden by the files that the project names. */
export const readFacts = async (
  found: FoundProject | undefined,
  reading: Reading,
): Promise<Facts> => {
  const facts = new Map(await knownModels())
  for (const [index, name] of found?.project.model_facts.entries() ?? []) {
    const file = await reading.named(found!.document, ["model_facts", index], name)
    const document = file && reading.parsed(file)
    const decoded = document && reading.decoded(decodeModels(document))
    for (const [id, one] of Object.entries(decoded?.models ?? {})) facts.set(id, one)
  }
  return facts
}
