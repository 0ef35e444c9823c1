/** Trusts a folder that `planloom init` created: all code in it is the user's own. */
import { readdir } from "node:fs/promises"
import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import { say } from "../terminal/Screen.ts"
import { rememberTrust } from "./trustedFolders.ts"

/** Returns whether the folder is missing or empty; called before anything is written. */
export const isUnused = (folder: string): Effect.Effect<boolean> =>
  Effect.promise(() =>
    readdir(folder).then(
      (names) => names.length === 0,
      (error: NodeJS.ErrnoException) => error.code === "ENOENT",
    ),
  )

/** Trusts the folder unless it is part of a repository or another project, which needs its own trust. */
export const trustCreated = (folder: string): Effect.Effect<void> =>
  Effect.promise(async () => {
    const { projectFolder } = await import("@planloom/language")
    if ((await projectFolder(folder)) !== resolve(folder)) return
    await rememberTrust(folder).catch(({ message }: Error) =>
      say(`trust in this folder cannot be saved, so planloom will ask: ${message}`),
    )
  })
