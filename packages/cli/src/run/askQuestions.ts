/** Answers a run's questions by --yes or at the terminal; otherwise the run is suspended. */
import { createInterface } from "node:readline/promises"
import type { Json, Wait } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { RunOptions } from "@planloom/core"
import { stderr } from "../terminal/Screen.ts"
import { answerSyntax, isYesOrNo, readAnswer } from "./readAnswer.ts"
import { waitText } from "./waitText.ts"

export type AnswerNow = NonNullable<RunOptions["answer"]>

/**
 * `yes` approves every tool. `aside` hides the progress view during a question; without it, or without a
 * terminal to read from, questions stay open.
 */
export const askQuestions = (
  yes: boolean,
  aside: (<A>(speak: () => Promise<A>) => Promise<A>) | undefined,
): AnswerNow => {
  // Questions of parallel stages are asked one after another.
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

/** Asks at the terminal. After an empty line or Ctrl-C the question stays open for a later answer. */
const ask = async (wait: Wait, signal: AbortSignal): Promise<Json | undefined> => {
  const { style } = stderr
  stderr.write(`${waitText(wait, style, stderr.columns() - 1)}\n`)
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    while (true) {
      const given = await lines.question(`  ${answerSyntax(wait)} `, { signal })
      if (given.trim() === "") return undefined
      const read = await readAnswer(wait, given.trim())
      if (read.mismatch === undefined) return read.value
      stderr.write(`  ${style.warn(read.mismatch)}\n`)
    }
  } catch {
    return undefined
  } finally {
    lines.close()
  }
}
