/** The files of a new package with one hook. */
import type { NewFiles } from "./NewFiles.ts"

export const hookFiles = (name: string, version: string): NewFiles => ({
  "package.json": `${JSON.stringify(
    {
      name: `planloom-hook-${name.replaceAll("_", "-")}`,
      version: "0.1.0",
      description: `The hook ${name} for Planloom.`,
      type: "module",
      exports: "./plugin.ts",
      keywords: ["planloom-plugin"],
      scripts: { test: "node --test" },
      peerDependencies: { "@planloom/plugin": `^${version}` },
      devDependencies: { "@planloom/plugin": `^${version}`, "@planloom/testing": `^${version}` },
    },
    null,
    2,
  )}\n`,
  "plugin.ts": `/** The hook ${name}. */
import { definePlugin, hook } from "@planloom/plugin"

export const ${variableOf(name)} = hook({
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
  components: { hooks: [${variableOf(name)}] },
})
`,
  "plugin.test.ts": `/** The conformance suite of hooks, and what this one changes. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { hookSuite } from "@planloom/testing"
import { ${variableOf(name)} } from "./plugin.ts"

const section = { id: "persona", text: "You help.", source: "persona.md", stable: true, tokens: 3 }

hookSuite({ describe, it }, ${variableOf(name)}, [
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
  "README.md": `# ${name}

A hook for [Planloom](https://www.npmjs.com/package/@planloom/cli): it adds words to a section of the prompt.

A hook set configures it:

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

\`npm test\` runs the conformance suite.
`,
})

/** `be_polite` → `bePolite`. */
const variableOf = (name: string): string =>
  name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
