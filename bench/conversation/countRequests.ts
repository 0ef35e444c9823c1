/** Counts the tokens of requests by what they are of, and those that a provider has in its cache. */
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import type { ModelRequest } from "@planloom/plugin/effect"
import { textTokens } from "@planloom/prompt/tokens"

/** Anthropic and OpenAI cache no shorter prefix. */
const MIN_CACHED_TOKENS = 1024

export interface RequestTokens {
  readonly requests: number
  readonly system: number
  readonly messages: number
  readonly tools: number
  /** Declared tools, the index of tools, and documentation that the model has read. */
  readonly forTools: number
  readonly total: number
  /** Of prefixes that an earlier request had, too. */
  readonly cached: number
}

interface Segment {
  readonly of: "system" | "messages" | "tools"
  readonly text: string
  readonly tokens: number
}

export const countRequests = (requests: ReadonlyArray<ModelRequest>): RequestTokens => {
  const sum = { requests: 0, system: 0, messages: 0, tools: 0, forTools: 0, total: 0, cached: 0 }
  const earlier: Array<ReadonlyArray<Segment>> = []
  for (const request of requests) {
    const segments = segmentsOf(request)
    for (const { of, text, tokens } of segments) {
      sum[of] += tokens
      if (of === "tools" || isIndex(of, text) || isDocumentation(of, text)) sum.forTools += tokens
      sum.total += tokens
    }
    const prefix = Math.max(0, ...earlier.map((one) => commonTokens(one, segments)))
    if (prefix >= MIN_CACHED_TOKENS) sum.cached += prefix
    sum.requests++
    earlier.push(segments)
  }
  return sum
}

const count = (text: string): number => countTokens(text)

/** In the order in which providers cache: tools, system, messages. */
const segmentsOf = ({ messages, system, tools = [] }: ModelRequest): ReadonlyArray<Segment> => [
  ...tools.map((tool) => segment("tools", JSON.stringify(tool))),
  ...system.map(({ text }) => segment("system", text)),
  ...messages.map((message): Segment => {
    const alone = { messages: [message], system: [], model: "" } as never as ModelRequest
    return { of: "messages", text: JSON.stringify(message), tokens: textTokens(alone, count) }
  }),
]

const isIndex = (of: Segment["of"], text: string) => of === "system" && text.startsWith("Tools:\n")

const isDocumentation = (of: Segment["of"], text: string) =>
  of === "messages" && text.includes('"role":"tool"') && text.includes('"parameters":')

const segment = (of: Segment["of"], text: string): Segment => ({ of, text, tokens: count(text) })

const commonTokens = (one: ReadonlyArray<Segment>, other: ReadonlyArray<Segment>): number => {
  let tokens = 0
  for (const [at, { text, tokens: own }] of one.entries()) {
    if (other[at]?.text !== text) break
    tokens += own
  }
  return tokens
}
