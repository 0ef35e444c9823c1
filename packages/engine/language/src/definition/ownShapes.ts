/** The shape of every kind of file that the language itself has. */
import { catalog } from "./shape/catalog.ts"
import { examples } from "./shape/examples.ts"
import { models } from "./shape/models.ts"
import { project } from "./shape/project.ts"
import { workflow } from "./shape/workflow.ts"

export const ownShapes = {
  Workflow: workflow,
  Catalog: catalog,
  Models: models,
  Examples: examples,
  Project: project,
} as const

export type OwnKind = keyof typeof ownShapes
