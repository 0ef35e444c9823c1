/** The works in plain JavaScript. */
import { list, step, type Runs } from "./contestants.ts"

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

const agent = async () => {
  const ask = async (text: string) => text
  await ask("")
  await Promise.all([1, 2].map(async (value) => value * 2))
  const answer = JSON.parse(await ask('{"sum":6}')) as { sum: unknown }
  if (!Number.isInteger(answer.sum)) throw new Error("wrong")
}

export const runs: Runs = {
  sequence: () => sequence,
  policies: () => sequence,
  parallel: () => parallel,
  agent: () => agent,
}
