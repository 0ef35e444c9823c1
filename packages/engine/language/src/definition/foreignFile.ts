/** Files of other tools that are taken for files of Planloom, by the keys that they begin with. */
import { isObject } from "@planloom/schema"
import type { Json } from "@planloom/plugin/effect"

export interface ForeignFile {
  /** As messages name it: `a GitHub Actions workflow`. */
  readonly what: string
  readonly help: string
}

interface Known extends ForeignFile {
  /** All of these keys are in the file. */
  readonly keys: ReadonlyArray<string>
}

const start =
  "a workflow begins with apiVersion: planloom/v1, kind: Workflow, name: …, and has stages: [{ id: …, uses: … }]"

const known: ReadonlyArray<Known> = [
  { keys: ["jobs", "on"], what: "a GitHub Actions workflow", help: start },
  {
    keys: ["prompts", "providers"],
    what: "a promptfoo configuration",
    help: `${start}: a prompt is a stage with uses: generate, tests are a file of kind WorkflowTest or Evaluation`,
  },
  { keys: ["nodes", "connections"], what: "an n8n workflow", help: start },
  { keys: ["services"], what: "a Compose file", help: start },
  {
    keys: ["openapi", "paths"],
    what: "an OpenAPI document",
    help: "planloom tools add openapi FILE makes a catalog of it",
  },
  {
    keys: ["mcpServers"],
    what: "a list of MCP servers of another client",
    help: "planloom mcp import FILE makes servers of it",
  },
]

export const foreignFile = (value: Json): ForeignFile | undefined =>
  isObject(value)
    ? known.find(({ keys }) => keys.every((key) => Object.hasOwn(value, key)))
    : undefined
