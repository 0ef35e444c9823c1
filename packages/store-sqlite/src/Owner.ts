/** Who has a run open, and whether that process is still there. */
import { hostname } from "node:os"

/** An owner tells every so many milliseconds that it is there. */
export const SEEN_EVERY = 2000

/** Silence that means death, on another machine or in a process that hangs. */
const SILENCE = 10_000

/** Names this process; the last part tells apart two stores in it. */
export const ownerName = (): string => `${hostname()} ${process.pid} ${crypto.randomUUID()}`

export const isActive = (owner: string | null, seenAt: number | null, now: number): boolean => {
  if (owner === null || seenAt === null || now - seenAt > SILENCE) return false
  const [host, pid] = owner.split(" ")
  return host !== hostname() || isProcess(Number(pid))
}

const isProcess = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}
