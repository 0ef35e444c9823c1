/** Asks at the terminal whether code of a folder may run, and other questions of trust. */
import { createInterface } from "node:readline/promises"
import { stderr } from "../terminal/Screen.ts"
import { oneLine } from "../terminal/text.ts"

/** The reason why code of a folder is about to run. */
export interface Reason {
  /** One sentence, which ends before the code. */
  readonly what: string
  /** The file, or the command with its arguments. */
  readonly code: string
}

/** Requires a terminal for input and output: piped input was meant for something else. */
export const canAsk = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true

/** Asks whether to trust a folder. */
export const askTrust = (reason: Reason, folder: string): Promise<boolean> =>
  confirmed(
    reason,
    "It could read and change your files, and read your environment. The answer yes is remembered.",
    `Trust ${oneLine(folder)} and run its code? [y/N] `,
  )

/** Returns true only for a typed yes; the end of input and Ctrl-C mean no. */
export const confirmed = async (
  { code, what }: Reason,
  consequence: string,
  question: string,
): Promise<boolean> => {
  const { style } = stderr
  stderr.write(`${oneLine(what)}\n  ${style.name(oneLine(code))}\n${consequence}\n`)
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const closed = new Promise<string>((resolve) => lines.once("close", () => resolve("\n")))
    const answer = await Promise.race([lines.question(question).catch(() => "\n"), closed])
    if (answer === "\n") stderr.write("\n")
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    lines.close()
  }
}
