/** PL5007: a section that changes stands before one that does not. */
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
  check: ({ definition, resources }) =>
    Object.entries(definition.modes).flatMap(([mode, { sections }]) => {
      const changing = sections.findIndex((name) => changes(name, resources) === true)
      if (changing === -1) return []
      const later = sections.slice(changing + 1).find((name) => changes(name, resources) === false)
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

/** Undefined for a section whose text is not known here: that of the stage itself, or of a plugin. */
const changes = (name: string, { prompts, sections }: Resources): boolean | undefined =>
  (prompts.get(name) ?? sections.get(name))?.text.includes("${{")
