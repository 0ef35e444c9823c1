/** Builds the request to a small model: rules, tools, the latest turns, the new message. */
import { propertiesOf, requiredOf } from "@planloom/planning"
import type { Ask, Message, StageContext, Tool } from "@planloom/plugin/effect"
import { replyCorrection } from "@planloom/stage-kit"
import type { Intent, PastTurn } from "./Intent.ts"
import type { Turn } from "./readTurn.ts"

/** Number of past turns in the request. */
const MAX_TURNS = 6

/** Longer messages are cut: a context of 4,096 tokens holds them beside tools, examples and the reply. */
const MAX_CHARACTERS = 2000
/** The start of a past message says what it was about. */
const MAX_PAST_CHARACTERS = 400

export const recentTurns = (history: ReadonlyArray<PastTurn>): ReadonlyArray<PastTurn> =>
  history.slice(-MAX_TURNS)

const line = (tool: Tool): string => {
  const required = requiredOf(tool)
  const params = propertiesOf(tool).map(([name, param]) => {
    const values = Array.isArray(param.enum) ? `: ${param.enum.map(String).join("|")}` : ""
    return `${name}${required.includes(name) ? "*" : ""}${values}`
  })
  return `- ${tool.name}(${params.join(", ")}): ${tool.summary}${tool.when_to_use === undefined ? "" : ` ${tool.when_to_use}`}`
}

/** The day comes last: what servers keep of the prompt stays the same from day to day. */
const rules = (
  intents: ReadonlyArray<Intent>,
  tools: ReadonlyArray<Tool>,
  today: string,
  weekday: string,
) => {
  const idle = intents.filter((intent) => intent.tools === "none").map(({ id }) => id)
  return `Reply with one JSON object and nothing else:
{"intent": ${intents.map(({ id }) => JSON.stringify(id)).join(" | ")}, "reasoning_summary": one sentence, "chat_response": under 20 words for the user, "candidate_tools": at most 2 names from the list, best first, "arguments": {name: value}, "confidence": 0.0 to 1.0}
- You NEVER execute tools, and you do not know what they will find. chat_response announces; it states no result.
- candidate_tools is [] for ${idle.join(" and ")}, and names a tool for every other intent.
- arguments holds the params of the candidates. Days are written YYYY-MM-DD.

Tools (* must be given):
${tools.map(line).join("\n")}

Today is ${weekday}, ${today}.`
}

const dialogue = (turns: ReadonlyArray<PastTurn>): ReadonlyArray<Message> =>
  turns.flatMap(({ assistant, user }): ReadonlyArray<Message> => [
    { role: "user", content: past(user) },
    ...(assistant === "" ? [] : [{ role: "assistant", content: past(assistant) } as const]),
  ])

const past = (text: string): string =>
  text.length <= MAX_PAST_CHARACTERS ? text : `${text.slice(0, MAX_PAST_CHARACTERS)}…`

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

/** A correction runs at temperature 0; the first try uses the model's own settings. */
export const turnAsk = (given: Turn, context: StageContext): Ask => {
  const weekday = weekdays[new Date(`${given.today}T00:00:00Z`).getUTCDay()]!
  const corrections = replyCorrection(
    context,
    "Write the whole JSON object again, corrected. Output only JSON.",
  )
  return {
    prompt: {
      sections: [
        {
          id: "instructions",
          text: rules(given.intents, given.tools, given.today, weekday),
          stable: false,
        },
      ],
    },
    // The messages are the conversation: replies in JSON among them would be imitated where words are wanted.
    examples: "system",
    messages: [
      ...dialogue(given.history),
      { role: "user", content: given.text.slice(0, MAX_CHARACTERS) },
      ...corrections,
    ],
    ...(corrections.length === 0 ? {} : { temperature: 0 }),
  }
}
