/** The works in plain JavaScript. */
import { list, step } from "../works/Work.ts"
import type { Runs } from "./contestants.ts"

const sequence = async () => {
  let value = 1
  for (let index = 0; index < 10; index++) value = await step(value)
  if (value !== 11) throw new Error("wrong")
}

const parallel = async () => {
  const results: Array<number> = []
  let next = 0
  const worker = async () => {
    while (next < list.length) {
      const index = next++
      results[index] = await step(list[index]!)
    }
  }
  await Promise.all(Array.from({ length: 10 }, worker))
}

const toolCalls = [1, 2].map((value) => ({ id: `call${value}`, arguments: { value } }))

const ask = async (messages: ReadonlyArray<object>) =>
  messages.length > 1 ? { text: '{"sum":6}', toolCalls: [] } : { text: "", toolCalls }

const agent = async () => {
  const messages: Array<object> = [{ role: "user", content: "add" }]
  const asked = await ask(messages)
  const results = await Promise.all(
    asked.toolCalls.map(async ({ arguments: { value } }) => {
      if (!Number.isInteger(value)) throw new Error("wrong")
      return value * 2
    }),
  )
  messages.push(
    { role: "assistant", toolCalls: asked.toolCalls },
    ...asked.toolCalls.map(({ id }, index) => ({
      role: "tool",
      toolCallId: id,
      content: results[index],
    })),
  )
  const { sum } = JSON.parse((await ask(messages)).text) as { sum: unknown }
  if (sum !== 6) throw new Error("wrong")
}

export const runs: Runs = { sequence, policies: sequence, parallel, agent }
