/** A lock between processes: a file that exists while one of them works. */
import { randomUUID } from "node:crypto"
import { link, readFile, rm, stat, writeFile } from "node:fs/promises"
import { hostname } from "node:os"
import { setTimeout as sleep } from "node:timers/promises"

/** Longer than any work that is done under a lock. */
const STALE_MS = 90_000
const POLL_MS = 25

interface Holder {
  readonly pid: number
  readonly host: string
}

/** Waits for the lock, works, and gives it back. A lock whose process has died is taken over. */
export const withFileLock = async <A>(file: string, work: () => Promise<A>): Promise<A> => {
  const own = `${file}.${randomUUID()}`
  await writeFile(own, JSON.stringify({ pid: process.pid, host: hostname() } satisfies Holder), {
    mode: 0o600,
  })
  try {
    // Linked into place, so that a lock never exists without its holder.
    while (!(await isLinked(own, file))) {
      if (await isStale(file)) await rm(file, { force: true })
      else await sleep(POLL_MS)
    }
  } finally {
    await rm(own, { force: true })
  }
  try {
    return await work()
  } finally {
    await rm(file, { force: true })
  }
}

const isLinked = async (own: string, file: string): Promise<boolean> => {
  try {
    await link(own, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false
    throw error
  }
}

const isStale = async (file: string): Promise<boolean> => {
  try {
    const { mtimeMs } = await stat(file)
    if (Date.now() - mtimeMs > STALE_MS) return true
    const { host, pid } = JSON.parse(await readFile(file, "utf8")) as Holder
    return host === hostname() && !isRunning(pid)
  } catch (error) {
    // Given back meanwhile, or not written by planloom: then its age decides.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") {
      return false
    }
    throw error
  }
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}
