/** Identity of the process that has a run open, and its state on this machine. */
import { readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"

export interface Owner {
  readonly host: string
  /** Boot id of the machine; null if unreadable, empty if the platform has none. */
  readonly boot: string | null
  /** The namespace of `pid`; null and empty as for `boot`. */
  readonly pidNamespace: string | null
  readonly pid: number
  /** Start time of the process in the kernel's unit; null if unreadable. */
  readonly started: string | null
  /** Distinguishes two stores of one process. */
  readonly store: string
  /** Milliseconds between two heartbeats. */
  readonly heartbeatMs: number
}

/**
 * `dead` and `running` are certain. A `stopped` process (SIGSTOP, Ctrl-Z) sends no heartbeat but may continue. For
 * `unknown`, only the heartbeat decides.
 */
export type ProcessState = "dead" | "running" | "stopped" | "unknown"

const isLinux = process.platform === "linux"

const readText = (path: string): string | null => {
  try {
    return readFileSync(path, "utf8").trim()
  } catch {
    return null
  }
}

const linkTarget = (path: string): string | null => {
  try {
    return readlinkSync(path)
  } catch {
    return null
  }
}

interface ProcessStat {
  readonly state: string
  readonly started: string
}

/** Fields 3 and 22; field 2, the name, may hold spaces and brackets. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
const statOf = (pid: number): ProcessStat | undefined => {
  const fields = readText(`/proc/${pid}/stat`)?.split(") ").at(-1)?.split(" ")
  return fields === undefined ? undefined : { state: fields[0]!, started: fields[19]! }
}

/** /proc may have been mounted by another PID namespace, where the same number is another process. */
const isOwnProc = isLinux && linkTarget("/proc/self") === String(process.pid)

const here = {
  host: hostname(),
  boot: isLinux ? readText("/proc/sys/kernel/random/boot_id") : "",
  pidNamespace: isLinux ? linkTarget("/proc/self/ns/pid") : "",
}

export const thisOwner = (heartbeatMs: number): Owner => ({
  ...here,
  pid: process.pid,
  started: isOwnProc ? (statOf(process.pid)?.started ?? null) : null,
  store: crypto.randomUUID(),
  heartbeatMs,
})

/** A process number means the same process only on one boot of one machine, in one PID namespace. */
const sharesPids = ({ boot, host, pidNamespace }: Owner): boolean =>
  boot !== null &&
  pidNamespace !== null &&
  host === here.host &&
  boot === here.boot &&
  pidNamespace === here.pidNamespace

export const processState = (owner: Owner): ProcessState => {
  if (!sharesPids(owner)) return "unknown"
  if (!exists(owner.pid)) return "dead"
  const stat = isOwnProc ? statOf(owner.pid) : undefined
  if (stat === undefined || owner.started === null) return "unknown"
  // Its pid was reused by another process, or it is a zombie.
  if (stat.started !== owner.started || /[ZX]/.test(stat.state)) return "dead"
  return /[Tt]/.test(stat.state) ? "stopped" : "running"
}

const exists = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}
