/** Who answers a run's questions: a flag, a person at the terminal, or nobody now. */
import { createInterface } from "node:readline/promises"
import type { Json, Wait } from "@planloom/plugin"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { RunOptions } from "@planloom/core"
import { stderr } from "../terminal/Screen.ts"
import { answerSyntax, isYesOrNo, readAnswer } from "./answers.ts"
import { waitText } from "./waiting.ts"

export type AnswerNow = NonNullable<RunOptions["answer"]>

/**
 * `yes` approves every tool. `aside` takes the progress view away while a question stands; without it, or
 * without a terminal to read from, nobody is there.
 */
export const asking = (
  yes: boolean,
  aside: (<A>(speak: () => Promise<A>) => Promise<A>) | undefined,
): AnswerNow => {
  // Parallel stages ask one after another.
  const turn = Semaphore.makeUnsafe(1)
  return (wait) => {
    if (yes && wait.kind === "approval" && isYesOrNo(wait.schema)) {
      return Effect.succeed({ approved: true })
    }
    return aside === undefined || process.stdin.isTTY !== true
      ? Effect.undefined
      : turn.withPermits(1)(Effect.promise((signal) => aside(() => ask(wait, signal))))
  }
}

/** An empty answer is none: the run can be answered later. So is Ctrl-C. */
const ask = async (wait: Wait, signal: AbortSignal): Promise<Json | undefined> => {
  const { style } = stderr
  stderr.write(`${waitText(wait, style, stderr.columns() - 1)}\n`)
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    while (true) {
      const given = await lines.question(`  ${answerSyntax(wait)} `, { signal })
      if (given.trim() === "") return undefined
      const read = await readAnswer(wait, given.trim())
      if (read.misfit === undefined) return read.value
      stderr.write(`  ${style.warn(read.misfit)}\n`)
    }
  } catch {
    return undefined
  } finally {
    lines.close()
  }
}
