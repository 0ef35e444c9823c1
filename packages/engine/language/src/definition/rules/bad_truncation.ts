/** PL5008: a mode's `truncate` can shorten nothing. */
import { hint } from "@planloom/expression/suggestion"
import { nearValue } from "../Fix.ts"
import type { Rule } from "./Rule.ts"

export const badTruncation: Rule = {
  code: "PL5008",
  slug: "bad_truncation",
  severity: "error",
  title: "A mode cannot shorten its prompt as written",
  why: "A prompt that is too long would fail, although you meant to shorten it.",
  fix: "List sections of the same mode under `truncate`, and give `max_tokens`.",
  wrong: "modes: { full: { sections: [base, history], truncate: [history] } }",
  right: "modes: { full: { sections: [base, history], max_tokens: 2000, truncate: [history] } }",
  check: ({ definition }) =>
    Object.entries(definition.modes).flatMap(([mode, { max_tokens, sections, truncate }]) => {
      const path = ["modes", mode, "truncate"]
      const unknown = truncate.flatMap((section, index) =>
        section === "" || sections.includes(section)
          ? []
          : [
              {
                code: "PL5008",
                message: `the mode "${mode}" has no section "${section}"`,
                path: [...path, index],
                help: hint(section, sections, "its sections are"),
                fix: nearValue(section, sections),
              },
            ],
      )
      return truncate.length === 0 || max_tokens !== undefined
        ? unknown
        : [
            ...unknown,
            {
              code: "PL5008",
              message: `the mode "${mode}" has truncate, but no max_tokens`,
              path,
              help: "say how long the prompt may be, such as max_tokens: 2000",
            },
          ]
    }),
}
