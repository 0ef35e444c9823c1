/** The template of a package with one tool. */
import type { Template } from "./packageFiles.ts"

export const toolTemplate: Template = ({ name, variable }) => ({
  noun: "tool",
  does: "counts the words of a text",
  plugin: `import { definePlugin, tool, toolSource } from "@planloom/plugin"

export const ${variable}Tools = toolSource({
  id: "${name}",
  summary: "The tool ${name}.",
  tools: [
    tool({
      name: "${name}",
      summary: "Counts the words of a text.",
      effect: "none",
      params: {
        type: "object",
        properties: { text: { type: "string" } },
        required: ["text"],
        additionalProperties: false,
      },
      result: { type: "integer" },
      run: async ({ text }) => text.split(/\\s+/).filter((word) => word !== "").length,
    }),
  ],
})

export default definePlugin({
  id: "${name}",
  summary: "The tool ${name}.",
  components: { tools: [${variable}Tools] },
})
`,
  test: `/** The conformance suite of tool sources, and what this tool returns. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { toolSourceSuite } from "@planloom/testing"
import { ${variable}Tools } from "./plugin.ts"

toolSourceSuite(
  { describe, it },
  ${variable}Tools,
  [
    {
      name: "counts the words",
      tool: "${name}",
      params: { text: "Sales rose in the north." },
      check: (result) => assert.equal(result, 5),
    },
    {
      name: "finds no word in an empty text",
      tool: "${name}",
      params: { text: "" },
      check: (result) => assert.equal(result, 0),
    },
  ],
  { workspace: import.meta.dirname },
)
`,
  usage: `A workflow calls it, and agents that the workflow offers it to:

\`\`\`yaml
apiVersion: planloom/v1
kind: Workflow
name: use_${name}
use: { plugins: ["@planloom/stages", ./${name}/plugin.ts] }
inputs:
  text: { type: string, default: Sales rose in the north. }
stages:
  - id: count
    uses: call
    with: { tool: ${name}, params: { text: "\${{ inputs.text }}" } }
outputs:
  words: { type: integer, value: "\${{ stages.count.output }}" }
\`\`\`
`,
})
