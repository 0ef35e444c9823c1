/** Asks at the terminal whether code of a folder may run. */
import { createInterface } from "node:readline/promises"
import type { PluginFile } from "@planloom/language"
import { stderr } from "../terminal/Screen.ts"
import { oneLine } from "../terminal/text.ts"

/** Requires a terminal for input and output: piped input was meant for something else. */
export const canAsk = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true

/** Returns true only for a typed yes; the end of input and Ctrl-C mean no. */
export const askTrust = async (
  { file, name, place }: PluginFile,
  folder: string,
): Promise<boolean> => {
  const { style } = stderr
  stderr.write(
    `${oneLine(`${place} names the plugin "${name}", which is code of this folder:`)}\n` +
      `  ${style.name(oneLine(file))}\n` +
      "It could read and change your files, and read your environment. The answer yes is remembered.\n",
  )
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const closed = new Promise<string>((resolve) => lines.once("close", () => resolve("\n")))
    const question = `Trust ${oneLine(folder)} and run its code? [y/N] `
    const answer = await Promise.race([lines.question(question).catch(() => "\n"), closed])
    if (answer === "\n") stderr.write("\n")
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    lines.close()
  }
}
