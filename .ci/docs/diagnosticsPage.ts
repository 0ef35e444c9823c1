/** The page of all diagnostics, made from the rules and their goldens. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { rules } from "../../packages/language/src/definition/rules/index.ts"
import type { Rule } from "../../packages/language/src/definition/rules/Rule.ts"

const goldens = join(import.meta.dirname, "../../packages/language/test/golden/err")

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

Everything \`planloom check\` can say, by code. \`planloom explain CODE\` says the same in a terminal.
This page is generated from the rules; a test keeps it so.

${sections.join("\n")}`
}

const entry = (rule: Rule): string => {
  const { code, mend, right, severity, slug, title, why, wrong } = rule
  const said = printed(rule)
  return `### ${code} ${slug}

**${title}** (${severity}). ${why} ${mend}

Wrong:

\`\`\`text
${wrong}
\`\`\`

Right:

\`\`\`text
${right}
\`\`\`
${said === undefined ? "" : `\nWhat \`check\` says:\n\n\`\`\`text\n${said}\n\`\`\`\n`}`
}

/** The first message of the rule's golden. */
const printed = ({ code, slug }: Rule): string | undefined => {
  const path = join(goldens, `${code}_${slug}.out`)
  if (!existsSync(path)) return undefined
  return readFileSync(path, "utf8").split("\n\n")[0]!.trimEnd()
}
