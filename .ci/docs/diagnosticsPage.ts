/** The page of all diagnostics, made from the rules and their goldens. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { rules } from "../../packages/engine/language/src/definition/rules/index.ts"
import type { Rule } from "../../packages/engine/language/src/definition/rules/Rule.ts"

const goldens = join(import.meta.dirname, "../../packages/engine/language/test/golden/err")

const groups: ReadonlyArray<readonly [prefix: string, title: string]> = [
  ["PL0", "Files, YAML and shape"],
  ["PL1", "Expressions and types"],
  ["PL2", "References and graph"],
  ["PL3", "Policies"],
  ["PL4", "Plugins, models, tools and files"],
  ["PL5", "Prompts"],
  ["PL6", "Secrets"],
]

export const diagnosticsPage = (): string => {
  const sections = groups.map(([prefix, title]) => {
    const members = rules.filter(({ code }) => code.startsWith(prefix))
    return `## ${title}\n\n${members.map(entry).join("\n")}`
  })
  return `# Diagnostics

Every diagnostic of \`planloom check\`, by code. \`planloom explain CODE\` prints the same in a terminal.
This page is generated from the rules.

${sections.join("\n")}`
}

const entry = (rule: Rule): string => {
  const { code, fix, right, severity, slug, title, why, wrong } = rule
  const output = printed(rule)
  return `### ${code} ${slug}

**${title}** (${severity}). ${why} ${fix}

Wrong:

\`\`\`text
${wrong}
\`\`\`

Right:

\`\`\`text
${right}
\`\`\`
${output === undefined ? "" : `\nWhat \`check\` prints:\n\n\`\`\`text\n${output}\n\`\`\`\n`}`
}

/** The first message of the rule's golden. */
const printed = ({ code, slug }: Rule): string | undefined => {
  const path = join(goldens, `${code}_${slug}.out`)
  if (!existsSync(path)) return undefined
  return readFileSync(path, "utf8").split("\n\n")[0]!.trimEnd()
}
