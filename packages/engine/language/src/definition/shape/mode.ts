/** The shape of a prompt mode: sections, tools and length. */
import type { Mode, ToolLoading } from "../Definition.ts"
import type { Shape } from "../Shape.ts"
import { byType, list } from "./collections.ts"
import { defaulted, object, optional, required } from "./object.ts"
import { number, oneOf, text } from "./scalars.ts"

const offeredTools = {
  string: oneOf("all", "none", "navigation", "task"),
  list: list(text("the name of a tool or of a group of tools")),
}

const toolLoading: Shape<ToolLoading> = object(
  {
    offer: defaulted<ToolLoading["offer"]>(
      byType<ToolLoading["offer"]>(
        offeredTools,
        "all, none, navigation, task, or a list of tools and groups",
        "all",
      ),
      "all",
      "Which of the tools that a stage offers its model are offered.",
    ),
    load: required(
      oneOf("full", "lazy"),
      "`lazy`: an agent's model reads one line of each tool that is not hot.",
    ),
    hot: defaulted(
      list(text("the name of a tool or of a group of tools")),
      [],
      "Tools and groups that a lazy mode declares with their parameters.",
    ),
    max_tokens: optional(
      number({ integer: true, minimum: 1 }),
      "With `load: full`: if an agent's tools would take more tokens, those that are not hot are one line each.",
    ),
  },
  {
    expected: "tools such as { offer: all, load: lazy, hot: [rate] }",
    check: (raw, context) => {
      if (raw["load"] !== "lazy" || raw["max_tokens"] === undefined) return
      context.problem({
        code: "PL0110",
        message: "the tools of a lazy mode are one line each, whatever they take",
        help: "write load: full, or remove max_tokens",
      })
    },
  },
)

export const mode: Shape<Mode> = object(
  {
    sections: required(list(text("the name of a section")), "Prompt sections, in order."),
    tools: defaulted<Mode["tools"]>(
      byType<Mode["tools"]>(
        { ...offeredTools, mapping: toolLoading },
        "all, none, navigation, task, a list of tools and groups, or { offer, load, hot, max_tokens }",
        "all",
      ),
      "all",
      "Which of the tools that a stage offers its model are offered.",
    ),
    max_tokens: optional(number({ integer: true, minimum: 1 }), "The longest prompt."),
    truncate: defaulted(
      list(text("the name of a section")),
      [],
      "Sections that are shortened or dropped until the prompt fits `max_tokens`, first one first.",
    ),
  },
  { expected: "a mode such as { sections: [base, task], tools: all }" },
)
