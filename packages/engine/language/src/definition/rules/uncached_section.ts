/** PL5007: a section that changes stands before one that does not. */
import { containsExpression } from "@planloom/expression"
import type { PromptUse } from "../Definition.ts"
import { TASK } from "../promptModes.ts"
import { promptUses } from "../scope/uses/promptUses.ts"
import type { Resources } from "../Resources.ts"
import type { Rule } from "./Rule.ts"

export const uncachedSection: Rule = {
  code: "PL5007",
  slug: "uncached_section",
  severity: "warning",
  title: "A section that changes stands before one that never changes",
  why: "A provider caches a prompt up to the first section that changes; it would read those after it again with each call.",
  fix: "Put sections without `${{ }}` first.",
  wrong: "modes: { full: { sections: [profile, base] } } # profile says ${{ user.name }}",
  right: "modes: { full: { sections: [base, profile] } }",
  check: ({ analysis, definition, resources }) =>
    Object.entries(definition.modes).flatMap(([mode, { sections }]) => {
      const own = promptUses(analysis.tree).filter(({ prompt }) => canBeIn(prompt, mode))
      const textsOf = (name: string) =>
        name === TASK ? own.map(({ prompt }) => prompt.use) : [name]
      const isChanging = (name: string) => textsOf(name).some((one) => changes(one, resources))
      const isConstant = (name: string) => {
        const texts = textsOf(name)
        return texts.length > 0 && texts.every((one) => changes(one, resources) === false)
      }
      const changing = sections.findIndex(isChanging)
      if (changing === -1) return []
      const later = sections.slice(changing + 1).find(isConstant)
      if (later === undefined) return []
      return [
        {
          code: "PL5007",
          severity: "warning" as const,
          message: `the section "${sections[changing]}" changes and stands before "${later}", which never does`,
          path: ["modes", mode, "sections", changing],
          help: `put "${later}" first: a provider caches what stands before the first change`,
        },
      ]
    }),
}

const canBeIn = ({ mode }: PromptUse, name: string): boolean =>
  mode === name || (mode !== undefined && containsExpression(mode))

/** Undefined for a section whose text is not known here. */
const changes = (name: string, { prompts, sections }: Resources): boolean | undefined =>
  (prompts.get(name) ?? sections.get(name))?.text.includes("${{")
