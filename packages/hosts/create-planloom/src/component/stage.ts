/** The template of a package with one stage kind. */
import type { Template } from "./packageFiles.ts"

export const stageTemplate: Template = ({ name, variable }) => ({
  noun: "stage kind",
  does: "shortens a text to its first words",
  plugin: `import { definePlugin, stageKind } from "@planloom/plugin"

export const ${variable}Stage = stageKind({
  id: "${name}",
  summary: "Shortens a text to its first words.",
  input: {
    type: "object",
    properties: {
      text: { type: "string" },
      words: { type: "integer", minimum: 1, default: 20 },
    },
    required: ["text"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: { text: { type: "string" }, shortened: { type: "boolean" } },
    required: ["text", "shortened"],
    additionalProperties: false,
  },
  asks: () => ({}),
  run: async ({ text, words }, context) => {
    const all = text.split(/\\s+/).filter((word) => word !== "")
    const kept = all.slice(0, words)
    await context.note("summary", \`\${kept.length} of \${all.length} words\`)
    return { text: kept.join(" "), shortened: kept.length < all.length }
  },
})

export default definePlugin({
  id: "${name}",
  summary: "The stage kind ${name}.",
  components: { stages: [${variable}Stage] },
})
`,
  test: `/** The conformance suite of stage kinds, and what this one returns. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { stageKindSuite } from "@planloom/testing"
import { ${variable}Stage } from "./plugin.ts"

stageKindSuite({ describe, it }, ${variable}Stage, [
  {
    name: "keeps the first words",
    with: { text: "Sales rose in the north.", words: 2 },
    check: (output) => assert.deepEqual(output, { text: "Sales rose", shortened: true }),
  },
  {
    name: "keeps a short text whole",
    with: { text: "Sales rose." },
    check: (output) => assert.deepEqual(output, { text: "Sales rose.", shortened: false }),
  },
])
`,
  usage: `A workflow uses it:

\`\`\`yaml
apiVersion: planloom/v1
kind: Workflow
name: use_${name}
use: { plugins: [./${name}/plugin.ts] }
inputs:
  text: { type: string, default: Sales rose in the north. }
stages:
  - id: short
    uses: ${name}
    with: { text: "\${{ inputs.text }}", words: 2 }
outputs:
  text: { type: string, value: "\${{ stages.short.output.text }}" }
\`\`\`
`,
})
