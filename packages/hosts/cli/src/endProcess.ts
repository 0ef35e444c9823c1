/** Ends the process after its output is written; the exit code reports a failed write. */
import { exitCode } from "./ExitCode.ts"
import { standardError, standardOutput } from "./terminal/Output.ts"

/** `signalled`: a signal has set the exit code. Handles that a plugin left open do not keep the process alive. */
export const endProcess = async (signalled = false): Promise<void> => {
  await Promise.all([standardOutput.flushed(), standardError.flushed()])
  if (!signalled) {
    const closedBy = standardOutput.closedBy ?? standardError.closedBy
    if (closedBy !== undefined) {
      process.exitCode = exitCode(closedBy)
    } else if (standardOutput.error !== undefined) {
      standardError.write(`planloom: write error: ${standardOutput.error}\n`)
      await standardError.flushed()
      process.exitCode = exitCode("failed")
    }
  }
  process.exit()
}
