/** What the files of a workflow name that plugins may give a meaning. */
import type { Manifest, SectionOwner } from "@planloom/plugin/effect"
import type { Definition, Stage } from "../definition/Definition.ts"
import { isObject } from "@planloom/schema"
import type { OpenedFile } from "./usedFiles.ts"
import type { ExtraKey } from "../definition/Shape.ts"

export class Met {
  private readonly stages: ReadonlySet<string>
  private readonly providers: ReadonlySet<string>
  private readonly embedders: ReadonlySet<string>
  private readonly rerankers: ReadonlySet<string>
  private readonly fileKinds: ReadonlySet<string>
  private readonly sections: ReadonlySet<string>

  constructor(
    definition: Definition,
    files: ReadonlyArray<OpenedFile>,
    extras: ReadonlyArray<ExtraKey>,
  ) {
    const stages = [...all(definition.stages), ...all(definition.finally)]
    this.stages = new Set(
      stages.flatMap(({ fallback, uses }) => [uses ?? "", fallback?.uses ?? ""]),
    )
    const models = [
      ...Object.values(definition.models).flatMap((alias) => alias.try),
      definition.defaults.model ?? "",
      definition.session?.compact?.model ?? "",
      ...stages.flatMap(({ fallback, model }) => [model ?? "", fallback?.model ?? ""]),
    ]
    this.providers = new Set(models.map((model) => model.split("/", 1)[0]!))
    const written = [
      ...files.map(({ document }) => document.value),
      ...extras.map(({ value }) => value),
    ]
    this.embedders = new Set([definition.embeddings ?? "", ...namedIn(written, "embedder")])
    this.rerankers = new Set(namedIn(written, "rerank"))
    this.fileKinds = new Set(files.flatMap(({ kind }) => kind ?? []))
    this.sections = new Set(extras.map(({ key, on }) => `${on} ${key}`))
  }

  /**
   * Whether anything named belongs to this plugin. Stage kinds, providers, embedders, rerankers, file kinds and sections are used by
   * name; tools, indexes and other components serve a workflow that does not name them. Stores serve the project.
   */
  usesOf({ contributes }: Manifest): boolean {
    const { components = {}, fileKinds = [], sections = {} } = contributes
    const {
      embedders = {},
      providers = {},
      rerankers = {},
      stages = {},
      stores: _,
      ...unnamed
    } = components
    return (
      Object.keys(unnamed).length > 0 ||
      Object.keys(stages).some((id) => this.stages.has(id)) ||
      Object.keys(providers).some((id) => this.providers.has(id)) ||
      Object.keys(embedders).some((id) => this.embedders.has(id)) ||
      Object.keys(rerankers).some((id) => this.rerankers.has(id)) ||
      fileKinds.some(({ kind }) => this.fileKinds.has(kind)) ||
      (Object.keys(sections) as ReadonlyArray<SectionOwner>).some((on) =>
        Object.keys(sections[on] ?? {}).some((key) => this.sections.has(`${on} ${key}`)),
      )
    )
  }
}

/** Names under a key in files and sections of plugins, at any depth. */
const namedIn = (value: unknown, key: string): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.flatMap((one) => namedIn(one, key))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    name === key && typeof inner === "string" ? [inner] : namedIn(inner, key),
  )
}

const all = (stages: ReadonlyArray<Stage>): ReadonlyArray<Stage> =>
  stages.flatMap((stage) => [stage, ...all(stage.stages ?? [])])
