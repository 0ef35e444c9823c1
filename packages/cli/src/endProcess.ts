/** Ends the process when its output is written; the exit code says when that was not possible. */
import { exitCode } from "./ExitCode.ts"
import { standardError, standardOutput } from "./terminal/Output.ts"

/** `signalled`: a signal has decided the exit code. What a plugin left open does not keep the process alive. */
export const endProcess = async (signalled = false): Promise<void> => {
  await Promise.all([standardOutput.flushed(), standardError.flushed()])
  if (!signalled) {
    const gone = standardOutput.gone ?? standardError.gone
    if (gone !== undefined) {
      process.exitCode = exitCode(gone)
    } else if (standardOutput.error !== undefined) {
      standardError.write(`planloom: write error: ${standardOutput.error}\n`)
      await standardError.flushed()
      process.exitCode = exitCode("failed")
    }
  }
  process.exit()
}
