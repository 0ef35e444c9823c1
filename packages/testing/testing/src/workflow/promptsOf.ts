/** The prompts of a run as assertions read them, by stage. */
import type { Json, JsonObject, Message } from "@planloom/plugin/effect"
import type { SentRequest } from "@planloom/core"

/** Of each stage the last request, with all of them under `attempts`, in order. */
export const promptsOf = (sent: ReadonlyArray<SentRequest>): JsonObject => {
  const byStage = Map.groupBy(sent, ({ stage }) => stage)
  return Object.fromEntries(
    [...byStage].map(([stage, requests]) => {
      const attempts = requests.map(viewOf)
      return [stage, { ...attempts.at(-1)!, attempts }]
    }),
  )
}

const viewOf = ({ attempt, mode, model, path, request, sections }: SentRequest): JsonObject => {
  const messages = request.messages.map(messageOf)
  return {
    path,
    attempt,
    model,
    mode,
    text: [...request.system.map(({ text }) => text), ...messages.map(({ content }) => content)]
      .filter((text) => text !== "")
      .join("\n\n"),
    sections: sections.map(({ id, source, text, tokens }) => ({ id, text, tokens, source })),
    messages,
    tools: (request.tools ?? []).map(({ name }) => name),
  }
}

const messageOf = (message: Message): { readonly role: string; readonly content: string } => ({
  role: message.role,
  content:
    message.role === "tool"
      ? textOf(message.content)
      : typeof message.content === "string"
        ? message.content
        : message.content.map((part) => (part.type === "text" ? part.text : IMAGE)).join("\n"),
})

/** In place of the data of an image. */
const IMAGE = "[image]"

const textOf = (content: Json): string =>
  typeof content === "string" ? content : JSON.stringify(content)
