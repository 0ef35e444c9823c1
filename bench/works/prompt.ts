/** One model call with a prompt of thirty sections, a few of which change, and a hundred tools. */
import * as Effect from "effect/Effect"
import { definePlugin, stageKind } from "@planloom/plugin/effect"
import { provider, tool, toolSource } from "@planloom/plugin"
import { runsOf, type Start } from "./Work.ts"

const params = {
  type: "object",
  properties: Object.fromEntries(
    Array.from({ length: 8 }, (_, index) => [
      `param_${index}`,
      { type: "string", description: "What the tool needs to know, in one short sentence." },
    ]),
  ),
  required: ["param_0"],
  additionalProperties: false,
} as const
const tools = Array.from({ length: 100 }, (_, index) =>
  tool({
    name: `tool_${index}`,
    summary: "Does one of the hundred things that can be done.",
    effect: "none",
    params,
    run: () => null,
  }),
)

const plugin = definePlugin({
  id: "bench",
  summary: "Asks.",
  components: {
    providers: [
      provider({
        id: "fake",
        summary: "Answers with the sizes of the request.",
        generate: async ({ system, tools: declared = [] }) => ({
          text: `${declared.length} ${system.some(({ text }) => text.includes("Ada"))}`,
          reasoning: "",
          toolCalls: [],
          finish: "stop",
          usage: { input: 1, output: 1 },
        }),
      }),
    ],
    tools: [toolSource({ id: "tools", summary: "Tools.", tools })],
    stages: [
      stageKind<object>({
        id: "ask",
        summary: "Asks.",
        input: { type: "object" },
        output: { type: "string" },
        model: (_, { model }) =>
          Effect.map(
            model.text({
              messages: [{ role: "user", content: "Hello" }],
              tools: tools.map(({ name }) => name),
            }),
            ({ text }) => text,
          ),
      }),
    ],
  },
})

const SECTIONS = 30
const sections = Array.from({ length: SECTIONS }, (_, index) => `section_${index}`)
const rule = "Answer in a few plain sentences, and name the source of every number. ".repeat(4)

export const start: Start = () =>
  runsOf({
    files: Object.fromEntries(
      sections.map((name, index) => [
        `${name}.md`,
        `# Rule ${index}\n\n${index < SECTIONS - 5 ? "" : "The customer is called ${{ inputs.name }}. "}${rule}\n`,
      ]),
    ),
    body: `defaults: { model: fake/any }
inputs: { name: { type: string } }
prompts: { ${sections.map((name) => `${name}: ${name}.md`).join(", ")} }
modes: { full: { sections: [${sections.join(", ")}] } }
stages: [{ id: one, uses: ask, prompt: { use: section_0, mode: full } }]
outputs: { said: { type: string, value: "\${{ stages.one.output }}" } }
`,
    plugins: [plugin],
    inputs: { name: "Ada" },
    check: ({ said }) => said === "100 true",
  })
