/** A sync of a folder in a process of its own. */
import { spawn } from "node:child_process"
import { join } from "node:path"

export const startSync = (index: string, root: string) =>
  spawn(
    process.execPath,
    [
      "--disable-warning=ExperimentalWarning",
      join(import.meta.dirname, "syncProcess.ts"),
      index,
      root,
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  )
