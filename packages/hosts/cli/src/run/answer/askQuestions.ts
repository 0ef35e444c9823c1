/** Answers a run's questions by --yes or at the terminal; otherwise the run is suspended. */
import { createInterface } from "node:readline/promises"
import type { Json, Wait } from "@planloom/plugin/effect"
import { stderr } from "../../terminal/Screen.ts"
import { askFields, fieldsOf } from "./askFields.ts"
import { Prompts } from "../Prompts.ts"
import { answerSyntax, isYesOrNo, readAnswer } from "./readAnswer.ts"
import { waitText } from "./waitText.ts"

/**
 * `yes` approves every tool. `aside` hides the progress view during a question; without it, or without a
 * terminal to read from, questions stay open.
 */
export const askQuestions = (
  yes: boolean,
  aside: (<A>(speak: () => Promise<A>) => Promise<A>) | undefined,
): Prompts => {
  const canAsk = aside !== undefined && process.stdin.isTTY === true
  return new Prompts((wait, signal) => {
    if (yes && wait.kind === "approval" && isYesOrNo(wait.schema)) return { approved: true }
    return canAsk && wait.kind !== "timer" ? aside(() => ask(wait, signal)) : undefined
  })
}

/** Asks at the terminal. After an empty line or Ctrl-C the question stays open for a later answer. */
const ask = async (wait: Wait, signal: AbortSignal): Promise<Json | undefined> => {
  const { style } = stderr
  stderr.write(`${waitText(wait, style, stderr.columns() - 1)}\n`)
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  // The next line must not continue the prompt.
  signal.addEventListener("abort", () => stderr.write("\n"))
  const question = (prompt: string) => lines.question(`  ${prompt} `, { signal })
  const warn = (text: string) => void stderr.write(`  ${style.warn(text)}\n`)
  const fields = fieldsOf(wait)
  try {
    if (fields !== undefined) return await askFields(wait, fields, { question, warn })
    while (true) {
      const given = await question(answerSyntax(wait))
      if (given.trim() === "") return undefined
      const read = await readAnswer(wait, given.trim())
      if (read.mismatch === undefined) return read.value
      warn(read.mismatch)
    }
  } catch {
    return undefined
  } finally {
    lines.close()
  }
}
