/** Takes the reasoning before and after a value off a reply: whole blocks in tags, as an author asks a model for them. */
import type { Split } from "./splitReasoning.ts"

const before = /^\s*<(reasoning|think|thinking)>([\s\S]*?)<\/\1>/i
const tags = ["reasoning", "think", "thinking"]

/** Undefined without such a block. What stands inside the value is not read. */
export const outerReasoning = (whole: string): Split | undefined => {
  if (!whole.includes("<")) return undefined
  const thoughts: Array<string> = []
  let text = whole
  for (let match = before.exec(text); match !== null; match = before.exec(text)) {
    thoughts.push(match[2]!.trim())
    text = text.slice(match[0].length)
  }
  const last = lastBlock(text)
  if (last !== undefined) {
    thoughts.push(last.reasoning)
    text = last.text
  }
  return thoughts.length === 0
    ? undefined
    : { text, reasoning: thoughts.filter((thought) => thought !== "").join("\n\n") }
}

const lastBlock = (text: string): Split | undefined => {
  const end = text.trimEnd()
  const lower = end.toLowerCase()
  for (const tag of tags) {
    if (!lower.endsWith(`</${tag}>`)) continue
    const start = lower.lastIndexOf(`<${tag}>`)
    if (start < 0) continue
    const reasoning = end.slice(start + tag.length + 2, -tag.length - 3).trim()
    return { text: end.slice(0, start), reasoning }
  }
  return undefined
}
