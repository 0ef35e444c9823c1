/** The lock of an index that one sync at a time holds, of all processes: it is free once its process has ended, however that ends. */
import { setTimeout as wait } from "node:timers/promises"

/** Milliseconds between two attempts. */
const POLL_MS = 25

/** SQLITE_BUSY */
const BUSY = 5

/** Undefined if the lock is still held after `patience` milliseconds; waits without a limit unless it is given. */
export const withSyncLock = async <A>(
  path: string,
  { patience = Infinity, signal }: { readonly patience?: number; readonly signal: AbortSignal },
  work: () => Promise<A>,
): Promise<A | undefined> => {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite")
  // An empty database: its file is locked as any, and the system frees the lock of a killed process.
  const lock = new DatabaseSync(`${path}-lock`, { timeout: 0 })
  try {
    const until = performance.now() + patience
    while (!isTaken(lock)) {
      if (performance.now() >= until) return undefined
      await wait(POLL_MS, undefined, { signal })
    }
    return await work()
  } finally {
    lock.close()
  }
}

const isTaken = (lock: { readonly exec: (sql: string) => void }): boolean => {
  try {
    lock.exec("BEGIN EXCLUSIVE")
    return true
  } catch (error) {
    if ((error as { readonly errcode?: number }).errcode === BUSY) return false
    throw error
  }
}
