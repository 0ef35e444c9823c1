/** Who says yes to tools that ask: a flag, a person at the terminal, or nobody. */
import { createInterface } from "node:readline/promises"
import type { RunOptions } from "@planloom/core"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { stderr } from "../terminal/Screen.ts"
import { oneLine, visible } from "../terminal/text.ts"

export interface Approval {
  readonly approve: NonNullable<RunOptions["approve"]>
  /** A tool was not run because nobody was there to say yes. */
  readonly missing: () => boolean
}

/** `aside` takes the progress view away while the question stands. */
export const approval = (
  yes: boolean,
  aside: (<A>(speak: () => Promise<A>) => Promise<A>) | undefined,
): Approval => {
  let missing = false
  // Parallel stages ask one after another.
  const turn = Semaphore.makeUnsafe(1)
  return {
    missing: () => missing,
    approve: (request) => {
      if (yes) return Effect.succeed(true)
      if (aside === undefined || process.stdin.isTTY !== true) {
        missing = true
        return Effect.succeed(false)
      }
      return turn.withPermits(1)(Effect.promise((signal) => aside(() => ask(request, signal))))
    },
  }
}

const ask = async (
  { params, path, tool }: Parameters<Approval["approve"]>[0],
  signal: AbortSignal,
): Promise<boolean> => {
  const { style } = stderr
  stderr.write(
    `${style.warn("?")} ${style.bold(oneLine(path))} wants to run ${style.bold(oneLine(tool))} with\n` +
      `${visible(JSON.stringify(params, null, 2)).replaceAll(/^/gm, "    ")}\n`,
  )
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await lines.question("  allow it? [y/N] ", { signal })
    return /^y(es)?$/i.test(answer.trim())
  } catch {
    return false
  } finally {
    lines.close()
  }
}
