/** The prompt of a stage as text. */
import { expect, it } from "vitest"
import { styleOf } from "../terminal/Style.ts"
import { widthOf } from "../terminal/text.ts"
import { promptText } from "./promptText.ts"

const long = Array.from({ length: 60 }, (_, at) => `word${at}`).join(" ")
const path = "templates/prompts/conversation/agent_description_of_the_whole_company.md"

it("a long prompt is shown whole in lines of 80 columns", () => {
  const heading = { workflow: "talk", path: "work/reply", uses: "generate", open: [long] }
  const text = promptText(
    heading,
    {
      request: { model: "any", system: [], messages: [] },
      mode: "full",
      versions: { base: "2" },
      model: "mirror/any",
      exact: true,
      sections: [{ id: "base", source: path, stable: true, text: long, tokens: 90 }],
      messages: [{ role: "user", text: long, tokens: 90 }],
      tools: [{ name: "search", description: long, parameters: {}, tokens: 100 }],
      output: undefined,
      tokens: { system: 90, messages: 90, tools: 100, output: 0, total: 280 },
      hooks: [
        {
          hook: "polite",
          point: "section_build",
          before: null,
          after: null,
          changes: [{ part: "section base", before: long, after: `${long} Please.` }],
        },
      ],
    },
    true,
    styleOf(false),
    80,
  )
  expect(text.split("\n").filter((line) => widthOf(line) > 80)).toEqual([])
  expect(text.match(/word59/g)).toHaveLength(6)
  expect(text).toContain("Sum  280 tokens")
})
