/** Installs a workspace of its own, which `pnpm install` in the root leaves out: what only one command needs. */
import { spawnSync } from "node:child_process"
import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import { pnpmCommand } from "./pnpmCommand.ts"

/** Does nothing if the folder was installed since its lockfile changed. */
export const installOnce = (folder: string): void => {
  const installed = join(folder, "node_modules/.modules.yaml")
  const lockfile = join(folder, "pnpm-lock.yaml")
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lockfile).mtimeMs) return
  const [command, ...args] = pnpmCommand()
  const { error, status } = spawnSync(command, [...args, "install", "--frozen-lockfile"], {
    cwd: folder,
    // Figures go to standard output.
    stdio: ["ignore", 2, 2],
  })
  if (status !== 0)
    throw new Error(`the packages of ${folder} cannot be installed`, { cause: error })
}
