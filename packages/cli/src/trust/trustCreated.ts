/** Remembers trust in a folder that `planloom init` created: all code in it will be the user's own. */
import { readdir } from "node:fs/promises"
import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import { say } from "../terminal/Screen.ts"
import { rememberTrust } from "./trustedFolders.ts"

/** Before anything is written: whether the folder is missing or empty. */
export const isUnused = (folder: string): Effect.Effect<boolean> =>
  Effect.promise(() =>
    readdir(folder).then(
      (names) => names.length === 0,
      (error: NodeJS.ErrnoException) => error.code === "ENOENT",
    ),
  )

/** A folder inside a repository or another project is part of that one, and is asked about with it. */
export const trustCreated = (folder: string): Effect.Effect<void> =>
  Effect.promise(async () => {
    const { projectFolder } = await import("@planloom/language")
    if ((await projectFolder(folder)) !== resolve(folder)) return
    await rememberTrust(folder).catch(({ message }: Error) =>
      say(`trust in this folder cannot be remembered, planloom will ask: ${message}`),
    )
  })
