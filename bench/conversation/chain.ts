/** Stage kind of the measurement: asks hop by hop until an agent answers; the concierge of a company in short. */
import * as Effect from "effect/Effect"
import { stageKind, type Ask, type JsonObject } from "@planloom/plugin/effect"

const NAVIGATION = "navigation"
const STAY = "answer_here"
/** More than any message of the script takes. */
const MAX_HOPS = 8

interface Input {
  readonly message: string
  readonly agent: string
  readonly history: string
  readonly state: string
  /** Tools of a step of a flow; empty outside of one. */
  readonly state_tools: ReadonlyArray<string>
  readonly descriptions: { readonly [agent: string]: string }
  readonly first: string
  readonly later: string
}

const text = { type: "string" } as const

export const chain = stageKind<Input>({
  id: "chain",
  summary: "Asks hop by hop until an agent answers.",
  input: {
    type: "object",
    properties: {
      message: text,
      agent: text,
      history: text,
      state: text,
      state_tools: { type: "array", items: text },
      descriptions: { type: "object", additionalProperties: text },
      first: text,
      later: text,
    },
  },
  output: { type: "object", required: ["text"], properties: { text: { type: "string" } } },
  model: (input, { model, tools: known }) =>
    Effect.gen(function* () {
      const { descriptions, first, history, later, message, state } = input
      const others = known.filter(({ group }) => group !== NAVIGATION).map(({ name }) => name)
      const navigation = known
        .filter(({ group }) => group === NAVIGATION)
        .map(({ name }) => ({ tool: name, form: "schema", ends: true }) as const)
      const isInFlow = first === "lazy" && input.state_tools.length > 0
      const tools: Ask["tools"] = isInFlow
        ? [...input.state_tools.map((tool) => ({ tool, form: "schema" }) as const), ...navigation]
        : [...others, ...navigation]
      let { agent } = input
      let mode = first
      for (let hop = 0; hop < MAX_HOPS; hop++) {
        const vars: JsonObject = { agent, description: descriptions[agent]!, history, state }
        const reply = yield* model.agent(
          { messages: [{ role: "user", content: message }], tools, prompt: { mode, vars } },
          { turns: 12, autoApprove: others },
        )
        const { handover } = reply
        if (handover === undefined) return { text: reply.reply.text }
        mode = handover.tool === STAY ? first : later
        if (handover.tool !== STAY) agent = handover.tool.slice("to_".length)
      }
      return { text: "" }
    }),
})
