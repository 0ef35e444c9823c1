/** What the files of a workflow name that plugins may give a meaning. */
import type { Manifest, SectionOwner } from "@planloom/plugin/effect"
import type { Definition, Stage } from "../definition/Definition.ts"
import type { ExtraKey } from "../definition/Shape.ts"

export class Met {
  private readonly stages: ReadonlySet<string>
  private readonly providers: ReadonlySet<string>
  private readonly embedder: string | undefined
  private readonly fileKinds: ReadonlySet<string>
  private readonly sections: ReadonlySet<string>

  constructor(
    definition: Definition,
    fileKinds: ReadonlyArray<string>,
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
    this.embedder = definition.embeddings
    this.fileKinds = new Set(fileKinds)
    this.sections = new Set(extras.map(({ key, on }) => `${on} ${key}`))
  }

  /**
   * Whether anything named belongs to this plugin. Stage kinds, providers, embedders, file kinds and sections are used by
   * name; tools, indexes and other components serve a workflow that does not name them. Stores serve the project.
   */
  usesOf({ contributes }: Manifest): boolean {
    const { components = {}, fileKinds = [], sections = {} } = contributes
    const { embedders = {}, providers = {}, stages = {}, stores: _, ...unnamed } = components
    return (
      Object.keys(unnamed).length > 0 ||
      Object.keys(stages).some((id) => this.stages.has(id)) ||
      Object.keys(providers).some((id) => this.providers.has(id)) ||
      Object.keys(embedders).some((id) => id === this.embedder) ||
      fileKinds.some(({ kind }) => this.fileKinds.has(kind)) ||
      (Object.keys(sections) as ReadonlyArray<SectionOwner>).some((on) =>
        Object.keys(sections[on] ?? {}).some((key) => this.sections.has(`${on} ${key}`)),
      )
    )
  }
}

const all = (stages: ReadonlyArray<Stage>): ReadonlyArray<Stage> =>
  stages.flatMap((stage) => [stage, ...all(stage.stages ?? [])])
