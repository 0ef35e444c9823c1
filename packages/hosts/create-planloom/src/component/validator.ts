/** The template of a package with one validator, and a stage kind that has it review a text. */
import type { Template } from "./packageFiles.ts"

export const validatorTemplate: Template = ({ name, variable }) => ({
  noun: "validator",
  does: "limits the length of a text",
  plugin: `import { definePlugin, stageKind, validator } from "@planloom/plugin"

export const ${variable}Validator = validator({
  id: "${name}",
  summary: "Limits the length of a text.",
  input: {
    type: "object",
    properties: { most: { type: "integer", minimum: 1 } },
    required: ["most"],
    additionalProperties: false,
  },
  rules: ["too_long"],
  validate: (text, { most }) =>
    text.length > most
      ? {
          verdict: "block",
          confidence: 1,
          reason: \`it is longer than \${most} characters\`,
          rules: ["too_long"],
        }
      : { verdict: "pass", confidence: 1, reason: "it is short enough" },
})

/** Stage kinds call validators; this one gives a workflow the finding. */
const ${variable}Stage = stageKind({
  id: "${name}_check",
  summary: "Checks the length of a text.",
  input: {
    type: "object",
    properties: { text: { type: "string" }, most: { type: "integer", minimum: 1 } },
    required: ["text", "most"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: { verdict: { type: "string" }, rules: { type: "array", items: { type: "string" } } },
    required: ["verdict", "rules"],
    additionalProperties: false,
  },
  asks: () => ({}),
  run: async ({ most, text }, context) => {
    const [finding] = await context.review([{ use: "${name}", with: { most } }], { text })
    return { verdict: finding!.verdict, rules: [...(finding!.rules ?? [])] }
  },
})

export default definePlugin({
  id: "${name}",
  summary: "The validator ${name}.",
  components: { validators: [${variable}Validator], stages: [${variable}Stage] },
})
`,
  test: `/** The conformance suite of validators, and the verdicts of this one. */
import { describe, it } from "node:test"
import { validatorSuite } from "@planloom/testing"
import { ${variable}Validator } from "./plugin.ts"

validatorSuite({ describe, it }, ${variable}Validator, [
  { name: "passes a short text", text: "Sales rose.", with: { most: 20 }, verdict: "pass" },
  { name: "blocks a long text", text: "Sales rose.", with: { most: 5 }, verdict: "block" },
])
`,
  usage: `A stage kind has a text reviewed by it with \`context.review\`. \`${name}_check\` of this package does, and a workflow reads its verdict:

\`\`\`yaml
apiVersion: planloom/v1
kind: Workflow
name: use_${name}
use: { plugins: [./${name}/plugin.ts] }
inputs:
  text: { type: string, default: Sales rose in the north. }
stages:
  - id: check
    uses: ${name}_check
    with: { text: "\${{ inputs.text }}", most: 10 }
outputs:
  verdict: { type: string, value: "\${{ stages.check.output.verdict }}" }
\`\`\`
`,
})
