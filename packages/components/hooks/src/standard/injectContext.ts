/** The hook `inject_context`: facts of a run in the prompt, bounded in length. */
import type { CallRecord } from "@planloom/plugin/effect"
import { textHook } from "./addText.ts"

const MAX_CHARACTERS = 2000

export const injectContext = textHook<{
  readonly text?: string
  readonly results?: number
  readonly title?: string
  readonly max_characters?: number
}>({
  id: "inject_context",
  summary: "Adds a text, and one line on each of the last tool calls.",
  properties: {
    text: { type: "string", description: "The text, such as `Orders: ${{ inputs.orders }}`." },
    results: {
      type: "integer",
      minimum: 1,
      maximum: 100,
      description: "How many of the last tool calls of the run are added, one line each.",
    },
    title: { type: "string", minLength: 1, description: "A line before it; none unless written." },
    max_characters: {
      type: "integer",
      minimum: 1,
      description: `The most that is added; ${MAX_CHARACTERS} unless written. The oldest tool calls are left out first.`,
    },
  },
  stable: false,
  text: ({
    calls,
    with: { max_characters: most = MAX_CHARACTERS, results = 0, text = "", title },
  }) => {
    const head = [...(title === undefined ? [] : [title]), ...(text === "" ? [] : [text])]
    const lines: Array<string> = []
    let left = most - head.join("\n").length
    for (const call of (results === 0 ? [] : calls.slice(-results)).toReversed()) {
      const line = lineOf(call)
      left -= line.length + 1
      if (left < 0) break
      lines.unshift(line)
    }
    if (text === "" && lines.length === 0) return undefined
    return [...head, ...lines].join("\n").slice(0, most)
  },
})

const lineOf = ({ error, ok, summary, tool }: CallRecord): string =>
  `- ${tool}: ${ok ? summary : `failed: ${error ?? summary}`}`
