/** What a small model is asked: rules, tools, the window of turns, the new message. */
import type { Ask, Message, StageContext, Tool } from "@planloom/plugin"
import { paramsOf, requiredOf } from "./fillArguments.ts"
import { intents } from "./PlannerOutput.ts"

export interface PastTurn {
  readonly user: string
  /** The `chat_response` alone: a model that sees its own JSON goes on writing JSON. */
  readonly assistant: string
}

/** Turns that are kept in view. */
export const WINDOW = 6

/** Longer messages are cut: a context of 2,048 tokens must hold them beside everything else. */
const LONGEST = 2000

export const recentTurns = (history: ReadonlyArray<PastTurn>): ReadonlyArray<PastTurn> =>
  history.slice(-WINDOW)

const line = (tool: Tool): string => {
  const required = requiredOf(tool)
  const params = paramsOf(tool).map(([name, param]) => {
    const values = param.enum === undefined ? "" : `: ${param.enum.map(String).join("|")}`
    return `${name}${required.includes(name) ? "*" : ""}${values}`
  })
  return `- ${tool.name}(${params.join(", ")}): ${tool.summary}${tool.when_to_use === undefined ? "" : ` ${tool.when_to_use}`}`
}

const rules = (tools: ReadonlyArray<Tool>, today: string, weekday: string) =>
  `Reply with one JSON object and nothing else:
{"intent": ${intents.map((intent) => JSON.stringify(intent)).join(" | ")}, "reasoning_summary": one sentence, "chat_response": under 20 words for the user, "candidate_tools": at most 2 names from the list, best first, "arguments": {name: value}, "confidence": 0.0 to 1.0}
- You NEVER execute tools, and you do not know what they will find. chat_response announces; it states no result.
- candidate_tools is [] for user_question and unclear, and names a tool for every other intent.
- arguments holds the params of the candidates. Days are written YYYY-MM-DD. Today is ${weekday}, ${today}.

Tools (* must be given):
${tools.map(line).join("\n")}`

const dialogue = (turns: ReadonlyArray<PastTurn>): ReadonlyArray<Message> =>
  turns.flatMap(({ assistant, user }): ReadonlyArray<Message> => [
    { role: "user", content: user },
    ...(assistant === "" ? [] : [{ role: "assistant", content: assistant } as const]),
  ])

/** What the reply before was refused for, with the reply itself where the engine kept it. */
const repair = ({ previous }: StageContext): ReadonlyArray<Message> => {
  if (previous?.class !== "invalid_output") return []
  const detail = previous.detail as { readonly reply?: unknown } | undefined
  const reply = typeof detail?.reply === "string" ? detail.reply.slice(0, LONGEST) : undefined
  return [
    ...(reply === undefined || reply === ""
      ? []
      : [{ role: "assistant", content: reply } as const]),
    {
      role: "user",
      content: `That reply cannot be used: ${previous.message}\nWrite the whole JSON object again, corrected. Output only JSON.`,
    },
  ]
}

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

/** The repair is asked for at temperature 0; the first try is as the model's name in the workflow says. */
export const plannerAsk = (
  given: {
    readonly text: string
    readonly today: string
    readonly history: ReadonlyArray<PastTurn>
    readonly tools: ReadonlyArray<Tool>
  },
  context: StageContext,
): Ask => {
  const weekday = weekdays[new Date(`${given.today}T00:00:00Z`).getUTCDay()]!
  const correction = repair(context)
  return {
    system: rules(given.tools, given.today, weekday),
    // The messages are the conversation: replies in JSON among them would be imitated where words are wanted.
    examples: "system",
    messages: [
      ...dialogue(recentTurns(given.history)),
      { role: "user", content: given.text.slice(0, LONGEST) },
      ...correction,
    ],
    ...(correction.length === 0 ? {} : { temperature: 0 }),
  }
}
