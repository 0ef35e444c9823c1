/** Prints what the process has taken, as figures of a comparison, when all is done. */
import { existsSync, readFileSync, writeSync } from "node:fs"

/**
 * `maxRSS` begins at the memory of the process that spawned this one, so Linux is asked for `VmHWM`, which begins with the
 * new program.
 */
export const account = () => {
  const { maxRSS, systemCPUTime, userCPUTime } = process.resourceUsage()
  const status = "/proc/self/status"
  const peak = existsSync(status)
    ? Number(/VmHWM:\s*(\d+)/.exec(readFileSync(status, "utf8"))[1])
    : maxRSS
  const figures = { "CPU ms": [(userCPUTime + systemCPUTime) / 1000], MB: [peak / 1024] }
  writeSync(1, `\n${JSON.stringify(figures)}\n`)
}
