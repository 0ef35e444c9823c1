/** Templates of projects: folders of `templates/`, with what the files cannot say of themselves. */

export interface Template {
  /** What the project does, as a question describes it. */
  readonly summary: string
  /** The alias of its model. */
  readonly alias: string
  /** Words after `planloom run`. */
  readonly run: ReadonlyArray<string>
  /** Whether it has an evaluation. */
  readonly isMeasured?: true
  /** Whether it does nothing without a model. */
  readonly needsModel?: true
  /** Whether its stages work by rules when the model fails. */
  readonly isMechanical?: true
  readonly dependencies?: { readonly [name: string]: string }
}

const templates = {
  prompt: {
    summary: "a prompt, a model, tests and an evaluation",
    alias: "writer",
    run: ["summarize"],
    isMeasured: true,
  },
  agent: {
    summary: "a model that calls an HTTP API",
    alias: "assistant",
    run: ["assistant"],
    needsModel: true,
  },
  approval: {
    summary: "a draft that a person approves",
    alias: "clerk",
    run: ["reply"],
  },
  documents: {
    summary: "answers from your documents, with citations",
    alias: "writer",
    run: ["ask"],
    isMechanical: true,
  },
  table: {
    summary: "a question about a table becomes a checked plan, numbers and a chart",
    alias: "planner",
    run: ["analyze", "--input", "question=How did revenue develop by region each month?"],
    isMeasured: true,
    isMechanical: true,
    dependencies: {
      "@duckdb/node-api": "^1.5.6-r.1",
      vega: "^6.4.0",
      "vega-lite": "^6.5.0",
    },
  },
} as const satisfies { readonly [name: string]: Template }

export type TemplateName = keyof typeof templates

export const templateNames = Object.keys(templates) as ReadonlyArray<TemplateName>

export const templateOf = (name: TemplateName): Template => templates[name]
