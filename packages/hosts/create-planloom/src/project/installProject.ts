/** Installs the dependencies of a new project. */
import { spawn } from "node:child_process"
import type { PackageManager } from "./PackageManager.ts"

/** Returns whether it succeeded. What the package manager prints goes to standard error: it is no result of the command. */
export const installProject = async (
  folder: string,
  { install }: PackageManager,
  say: (text: string) => void,
): Promise<boolean> => {
  const [file, ...args] = install as readonly [string, ...ReadonlyArray<string>]
  say(`\n${install.join(" ")}`)
  const failure = await new Promise<string | undefined>((resolve) => {
    // On Windows npm is a script, which only a shell can start.
    const shell = process.platform === "win32"
    spawn(file, args, { cwd: folder, stdio: ["ignore", 2, 2], shell })
      .on("error", ({ message }) => resolve(message))
      .on("close", (code, signal) =>
        resolve(code === 0 ? undefined : `ended with ${signal ?? code}`),
      )
  })
  if (failure !== undefined) say(`\nthe project is written, but not installed: ${file} ${failure}`)
  return failure === undefined
}
