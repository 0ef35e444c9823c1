/** Asks a question at the terminal that only a typed yes agrees to; the end of input and Ctrl-C mean no. */
import { createInterface } from "node:readline/promises"

export const confirm = async (question: string, signal: AbortSignal): Promise<boolean> => {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const closed = new Promise<string>((resolve) => lines.once("close", () => resolve("")))
    const answer = lines.question(`${question} [y/N] `, { signal }).catch(() => "")
    return /^y(es)?$/i.test((await Promise.race([answer, closed])).trim())
  } finally {
    lines.close()
  }
}
