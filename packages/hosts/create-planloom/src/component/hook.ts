/** The template of a package with one hook. */
import type { Template } from "./packageFiles.ts"

export const hookTemplate: Template = ({ name, variable }) => ({
  noun: "hook",
  does: "adds words to a section of the prompt",
  plugin: `import { definePlugin, hook } from "@planloom/plugin"

export const ${variable}Hook = hook({
  id: "${name}",
  summary: "Adds words to a section of the prompt.",
  point: "section_build",
  kind: "transform",
  input: {
    type: "object",
    properties: { section: { type: "string" }, words: { type: "string", minLength: 1 } },
    required: ["section", "words"],
    additionalProperties: false,
  },
  run: ({ id, text }, { with: { section, words } }) =>
    id === section ? { text: \`\${text}\\n\${words}\` } : undefined,
})

export default definePlugin({
  id: "${name}",
  summary: "The hook ${name}.",
  components: { hooks: [${variable}Hook] },
})
`,
  test: `/** The conformance suite of hooks, and what this one changes. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { hookSuite } from "@planloom/testing"
import { ${variable}Hook } from "./plugin.ts"

const section = { id: "persona", text: "You help.", source: "persona.md", stable: true, tokens: 3 }

hookSuite({ describe, it }, ${variable}Hook, [
  {
    name: "adds its words to the section",
    draft: section,
    with: { section: "persona", words: "Be kind." },
    check: (patch) => assert.deepEqual(patch, { text: "You help.\\nBe kind." }),
  },
  {
    name: "leaves other sections",
    draft: section,
    with: { section: "rules", words: "Be kind." },
    check: (patch) => assert.equal(patch, undefined),
  },
])
`,
  usage: `A hook set configures it:

\`\`\`yaml
apiVersion: planloom/v1
kind: HookSet
name: ${name}_set
hooks:
  - { use: ${name}, with: { section: persona, words: Be kind. } }
\`\`\`

A workflow uses the plugin and the set:

\`\`\`yaml
use:
  plugins: ["@planloom/hooks", ./${name}/plugin.ts]
  files: [hooks/${name}_set.yaml]
\`\`\`
`,
})
