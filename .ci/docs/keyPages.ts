/** The pages of docs/keys: every key with its meaning and the example that the test of accepted keys runs. */
import type { Json } from "@planloom/plugin/effect"
import { described } from "../../packages/testing/testing/test/keys/accepted.ts"
import { groups } from "../../packages/testing/testing/test/keys/groups.ts"
import { Default, type KeyExample } from "../../packages/testing/testing/test/keys/KeyExample.ts"
import analyst from "../../packages/domains/analyst/src/index.ts"
import documents from "../../packages/components/documents/src/index.ts"
import stages from "../../packages/components/stages/src/index.ts"
import type { Page } from "./Page.ts"
import { fieldsText } from "./schemaText.ts"

interface KeyPage {
  readonly path: string
  readonly title: string
  readonly about: string
  /** Whether a key stands on this page. */
  readonly has: (key: string) => boolean
}

const inFiles =
  /^(Catalog|Documents|Examples|HookSet|PlanTemplate|Vocabulary|WorkflowTest|Evaluation)\./
const inModels = /^(Models\.|Workflow\.models(\.|$))/

const keyPages: ReadonlyArray<KeyPage> = [
  {
    path: "docs/keys/workflow.md",
    title: "Keys of a workflow",
    about:
      "What they do together: [Workflows](../workflows.md), [Hooks](../hooks.md), [Experiments](../experiments.md), [Shadow reviews](../shadow.md), [Sessions](../sessions.md).",
    has: (key) =>
      /^(Workflow\.|workflow (hooks|experiments|shadow|libraries)\.)/.test(key) &&
      !inModels.test(key),
  },
  {
    path: "docs/keys/stage.md",
    title: "Keys of a stage",
    about: "Keys of every stage, whatever its kind: [Workflows](../workflows.md).",
    has: (key) => /^stage( hooks| shadow)?\./.test(key),
  },
  {
    path: "docs/keys/kinds.md",
    title: "Keys of `with`, by stage kind",
    about: "What `uses` names: `planloom list stages` shows them with those of your plugins.",
    has: (key) => /^[a-z_]+\./.test(key) && !key.startsWith("stage."),
  },
  {
    path: "docs/keys/models.md",
    title: "Keys of models",
    about:
      "Under `models` of a workflow, of the project and of its environments, and in files of the kind Models: [Models](../models.md).",
    has: (key) => inModels.test(key),
  },
  {
    path: "docs/keys/project.md",
    title: "Keys of `planloom.yaml`",
    about: "Of a file of the kind Project: [Workflows](../workflows.md).",
    has: (key) => /^(Project|project libraries)\./.test(key),
  },
  {
    path: "docs/keys/files.md",
    title: "Keys of other files",
    about:
      "Catalogs, libraries, examples, hook sets, plan templates, vocabularies, tests and evaluations.",
    has: (key) => inFiles.test(key),
  },
]

const examples = new Map<string, KeyExample>()
for (const example of Object.values(groups).flat()) {
  if (!examples.has(example.key)) examples.set(example.key, example)
}

const owners: { readonly [owner: string]: string } = {
  Workflow: "Workflow",
  stage: "Every stage",
  "stage hooks": "`hooks` of a stage",
  "workflow hooks": "`hooks` of a workflow",
  "workflow shadow": "`shadow` of a workflow",
  "stage shadow": "`shadow` of a stage",
  "workflow libraries": "`libraries` of a workflow",
  "project libraries": "`libraries` of a project",
  "workflow experiments": "`experiments` of a workflow",
}

/** Nested keys from which on a key has a table of its own. */
const MIN_NESTED_KEYS = 4

const textOf = ({ about, has, title }: KeyPage): string => {
  const keys = [...described.keys()].filter(has)
  const byOwner = Map.groupBy(keys, ownerOf)
  const parts = [...byOwner].flatMap(([owner, own]) => [
    ...(byOwner.size > 1
      ? [`## ${owners[owner] ?? (/^[A-Z]/.test(owner) ? owner : `\`${owner}\``)}`, ""]
      : []),
    ...kindText(owner),
    ...tablesOf(owner, own, byOwner.size > 1 ? "###" : "##"),
  ])
  return [
    `# ${title}`,
    "",
    `${about} A test runs every example: without the key, with it, and with the other value, and each time something else can be seen.`,
    "",
    "`*` stands for a name of yours.",
    "",
    ...parts,
  ].join("\n")
}

const kinds = new Map(
  [
    ...(stages.components?.stages ?? []),
    ...(analyst.components?.stages ?? []),
    ...(documents.components?.stages ?? []),
  ].map((kind) => [kind.id, kind]),
)

/** What a stage kind does, and the fields of its output. */
const kindText = (owner: string): ReadonlyArray<string> => {
  const kind = kinds.get(owner)
  if (kind === undefined) return []
  const { mechanical, model, output, summary } = kind
  const ways =
    model === undefined
      ? "It asks no model."
      : mechanical === undefined
        ? "It needs a model."
        : "It asks a model, or works by rules without one."
  const none = { given: () => undefined, toolResult: () => undefined, workflow: () => undefined }
  const fields = fieldsText(typeof output === "function" ? output({}, none) : output)
  return [
    `${summary} ${ways}`,
    "",
    fields === "" ? "Its output depends on `with`." : `Output: ${fields}.`,
    "",
  ]
}

const ownerOf = (key: string): string => key.slice(0, key.indexOf("."))

const tablesOf = (
  owner: string,
  keys: ReadonlyArray<string>,
  heading: string,
): ReadonlyArray<string> => {
  const byFirst = Map.groupBy(keys, (key) => key.slice(owner.length + 1).split(".")[0]!)
  const large = [...byFirst].filter(([, own]) => own.length > MIN_NESTED_KEYS)
  const names = new Set(large.map(([name]) => name))
  const small = [...byFirst].flatMap(([name, own]) => (names.has(name) ? own.slice(0, 1) : own))
  return [
    ...table(owner, small),
    ...large.flatMap(([name, own]) => [
      `${heading} \`${name}\``,
      "",
      ...table(owner, own.slice(1)),
    ]),
  ]
}

const table = (owner: string, keys: ReadonlyArray<string>): ReadonlyArray<string> => [
  "| key | meaning | example | other value |",
  "|---|---|---|---|",
  ...keys.map((key) => {
    const example = examples.get(key)
    const cells =
      example === undefined ? ["", ""] : [code(flowYaml(example.with)), otherOf(example)]
    return `| ${[code(key.slice(owner.length + 1)), (described.get(key) ?? "").replaceAll("|", "\\|"), ...cells].join(" | ")} |`
  }),
  "",
]

const otherOf = ({ other }: KeyExample): string => {
  if (!(other instanceof Default)) return code(flowYaml(other))
  return other.value === undefined ? "" : `${code(flowYaml(other.value))} (default)`
}

const code = (text: string): string => `\`${text.replaceAll("|", "\\|").replaceAll("`", "'")}\``

/** As one would write it on one line. */
const flowYaml = (value: Json): string => {
  if (Array.isArray(value)) return `[${value.map(flowYaml).join(", ")}]`
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(([key, one]) => `${key}: ${flowYaml(one as Json)}`)
    return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`
  }
  return typeof value === "string" && (!plain.test(value) || typed.test(value))
    ? JSON.stringify(value)
    : String(value)
}

const plain = /^[\w./][\w ./-]*$/
/** Texts that YAML would read as something else. */
const typed = /^(true|false|null|-?\d+(\.\d+)?)$/

export const keyReference: ReadonlyArray<Page> = keyPages.map((page) => ({
  path: page.path,
  text: () => textOf(page),
}))
