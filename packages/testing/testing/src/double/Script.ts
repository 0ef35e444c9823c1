/** Scripted replies: which one answers a request, which were not used, which requests had none. */
import type { ModelRequest } from "@planloom/plugin/effect"
import type { ScriptedReply } from "../file/WorkflowTest.ts"

export class Script {
  /** What the script is for: a model's name. */
  readonly name: string
  private readonly replies: ReadonlyArray<ScriptedReply>
  private readonly used = new Set<number>()
  private asked = 0

  constructor(name: string, replies: ReadonlyArray<ScriptedReply>) {
    this.name = name
    this.replies = replies
  }

  /** The first unused reply that is for this request, or one sentence why none fits. */
  next(request: ModelRequest): ScriptedReply | string {
    this.asked++
    const text = textOf(request)
    const index = this.replies.findIndex(
      ({ when }, at) => !this.used.has(at) && (when === undefined || text.includes(when)),
    )
    if (index < 0) return this.refusal(request)
    this.used.add(index)
    return this.replies[index]!
  }

  private refusal(request: ModelRequest): string {
    const count = this.replies.length
    const left = count - this.used.size
    const why =
      left === 0
        ? `the script of "${this.name}" has ${plural(count, "reply", "replies")}`
        : `none of the ${plural(left, "reply", "replies")} left in the script of "${this.name}" is for it`
    return `${why}; request ${this.asked} asks: ${abridged(lastWords(request))}`
  }

  /** Unused replies with their indices. */
  unused(): ReadonlyArray<readonly [index: number, reply: ScriptedReply]> {
    return [...this.replies.entries()].filter(([index]) => !this.used.has(index))
  }
}

export const plural = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`

const abridged = (text: string): string => {
  const line = text.trim().replace(/\s+/g, " ")
  return line.length > 120 ? `${line.slice(0, 119)}…` : line
}

/** All text of a request: system prompt and messages. */
const textOf = ({ messages, system }: ModelRequest): string =>
  [...system.map(({ text }) => text), ...messages.map(words)].join("\n")

const lastWords = ({ messages, system }: ModelRequest): string => {
  const last = messages.at(-1)
  return last === undefined ? (system.at(-1)?.text ?? "") : words(last)
}

const words = (message: ModelRequest["messages"][number]): string => {
  if (typeof message.content === "string") return message.content
  if (message.role === "tool") return JSON.stringify(message.content)
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join("\n")
}
