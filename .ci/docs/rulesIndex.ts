/** The list of all rules, made from the files of their folder. */
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import type { Rule } from "../../packages/engine/language/src/definition/rules/Rule.ts"
import type { Page } from "./Page.ts"

const path = "packages/engine/language/src/definition/rules"
const folder = join(import.meta.dirname, "../..", path)

/** Every file that is named by a slug, which has no capitals, exports one rule. */
const readRules = async (): Promise<ReadonlyArray<readonly [name: string, rule: Rule]>> => {
  const files = (await readdir(folder)).filter(
    (file) => /^[a-z_]+\.ts$/.test(file) && file !== "index.ts",
  )
  const found = await Promise.all(
    files.map(async (file) => {
      const exported: Readonly<Record<string, Rule>> = await import(`../../${path}/${file}`)
      const [entry, ...others] = Object.entries(exported)
      if (entry === undefined || others.length > 0 || `${entry[1].slug}.ts` !== file)
        throw new Error(`${path}/${file} must export one rule whose slug is the name of the file`)
      return entry
    }),
  )
  return found.toSorted(([, a], [, b]) => (a.code < b.code ? -1 : 1))
}

export const rulesIndex: Page = {
  path: `${path}/index.ts`,
  text: async () => {
    const rules = await readRules()
    return `/** All rules by code. Generated from the files of this folder by \`run docs\`. */
${rules.map(([name, { slug }]) => `import { ${name} } from "./${slug}.ts"`).join("\n")}
import type { Rule } from "./Rule.ts"

export const rules: ReadonlyArray<Rule> = [
${rules.map(([name]) => `  ${name},`).join("\n")}
]
`
  },
}
