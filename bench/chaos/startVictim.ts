/** Starts a victim as a process that can be frozen, continued and killed, in a PID namespace of its own if asked. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { sharedNow } from "./Witness.ts"

export interface VictimOptions {
  readonly worker?: boolean
  readonly heartbeatMs?: number
  readonly clockAheadMs?: number
  /** Its process number then means nothing outside, and others' numbers nothing to it. */
  readonly ownNamespace?: boolean
}

export interface Victim {
  /** As its witness knows it; 1 in a namespace of its own. */
  readonly name: number
  readonly over: Promise<{ readonly code: number | null; readonly said: string }>
  /** Returns once it stands still. */
  readonly freeze: () => Promise<void>
  readonly resume: () => void
  /** Gives the moment of the kill on the shared clock; undefined when the process had ended. */
  readonly kill: () => number | undefined
}

const namespaced = ["--pid", "--fork", "--mount-proc", "--kill-child"]

/** Why no PID namespace can be made here; undefined where one can. */
export const namespacesRefused = (): string | undefined => {
  const { error, status, stderr } = spawnSync("unshare", [...namespaced, "true"], {
    encoding: "utf8",
  })
  if (error !== undefined) return error.message
  return status === 0 ? undefined : stderr.trim()
}

export const startVictim = async (
  workload: string,
  folder: string,
  { clockAheadMs, heartbeatMs, ownNamespace = false, worker = false }: VictimOptions = {},
): Promise<Victim> => {
  const command = [
    process.execPath,
    join(import.meta.dirname, "victim.ts"),
    workload,
    folder,
    ...(worker ? ["--worker"] : []),
    ...(heartbeatMs === undefined ? [] : [`--heartbeat=${heartbeatMs}`]),
    ...(clockAheadMs === undefined ? [] : [`--clock-ahead=${clockAheadMs}`]),
  ]
  const [program, ...args] = ownNamespace ? ["unshare", ...namespaced, ...command] : command
  const child = spawn(program!, args, { stdio: ["ignore", "ignore", "pipe"] })
  let said = ""
  child.stderr.on("data", (data: Buffer) => (said += data.toString()))
  const over = once(child, "close").then(([code]) => ({ code: code as number | null, said }))
  const pid = ownNamespace ? await onlyChild(child.pid!) : child.pid!
  return {
    name: ownNamespace ? 1 : pid,
    over,
    freeze: () => frozen(pid),
    resume: () => void signalled(pid, "SIGCONT"),
    kill: () => {
      const at = sharedNow()
      return signalled(pid, "SIGKILL") ? at : undefined
    },
  }
}

/** False when there is no such process any more. */
const signalled = (pid: number, signal: NodeJS.Signals): boolean => {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false
    throw error
  }
}

/** `unshare` forks before it becomes the command. */
const onlyChild = async (pid: number): Promise<number> => {
  for (;;) {
    const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")
    if (child !== undefined && child !== "") return Number(child)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

/** A signal takes effect a moment after it was sent; the third field of `stat` is the state. */
const frozen = async (pid: number): Promise<void> => {
  process.kill(pid, "SIGSTOP")
  const state = () => /\) (\w) /.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1]
  while (state() !== "T") await new Promise((resolve) => setImmediate(resolve))
}
