/** PL4052: a hook replaces what another one wrote; found when sections are bound. */
import type { Rule } from "./Rule.ts"

export const replacedText: Rule = {
  code: "PL4052",
  slug: "replaced_text",
  severity: "warning",
  title: "A hook replaces what another one wrote",
  why: "Both write into the same section of the prompt, and the later one replaces it whole, so that the text of the earlier one never reaches the model.",
  fix: "Let the hook that replaces run first, by `before` or a lower `priority`, or give one of them a section of its own. If their conditions exclude each other, ignore it.",
  wrong:
    "hooks: [{ use: time_persona, with: { section: persona } }, { use: ab_test, with: { section: persona, experiment: tone, texts: { warm: Be warm. } } }]",
  right:
    "hooks: [{ use: time_persona, with: { section: persona } }, { use: ab_test, with: { section: tone, experiment: tone, texts: { warm: Be warm. } } }]",
}
