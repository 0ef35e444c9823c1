/** Starts the process of a server so that it does not outlive this process where the system can see to that. */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process"
import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"

export interface ChildOptions {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  readonly env: { readonly [variable: string]: string }
}

/**
 * On Linux the kernel kills the child when this process ends, also by SIGKILL, if `setpriv` is installed. The child leads
 * a process group, so that a launcher such as npx ends together with what it has launched.
 */
export const startChild = ({
  args,
  command,
  cwd,
  env,
}: ChildOptions): ChildProcessWithoutNullStreams => {
  const setpriv = process.platform === "linux" ? setprivPath() : undefined
  const [file, ...rest] =
    setpriv === undefined
      ? [command, ...args]
      : [setpriv, "--pdeathsig", "KILL", "--", command, ...args]
  return spawn(file!, rest, {
    cwd,
    env: env as NodeJS.ProcessEnv,
    stdio: "pipe",
    detached: process.platform !== "win32",
    windowsHide: true,
  })
}

/** Signals the whole group of a child; one that has ended is no failure. */
export const signalChild = (
  child: ChildProcessWithoutNullStreams,
  signal: "SIGTERM" | "SIGKILL",
): void => {
  if (child.pid === undefined) return
  try {
    if (process.platform === "win32") child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error
  }
}

let found: { readonly path: string | undefined } | undefined

const setprivPath = (): string | undefined => {
  found ??= { path: onPath("setpriv") }
  return found.path
}

/** Looks in the PATH of this process: the server's own may be another. */
export const onPath = (name: string): string | undefined =>
  (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
