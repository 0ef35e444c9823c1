/** Stores the trusted folders: one file per folder, in the user's state folder. */
import { createHash, randomUUID } from "node:crypto"
import { mkdir, readFile, realpath, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { isWithin } from "./isWithin.ts"
import { stateFolder } from "@planloom/plugin/state"

/** Returns whether a folder is trusted. A state folder inside the folder is ignored, because it could come with it. */
export const isTrusted = async (folder: string, state = stateFolder()): Promise<boolean> => {
  const real = await realpath(folder)
  const inside = await realpath(state).catch(() => undefined)
  if (inside === undefined || isWithin(real, inside)) return false
  const text = await readFile(recordOf(real, state), "utf8").catch(() => undefined)
  return text !== undefined && (JSON.parse(text) as { readonly folder?: unknown }).folder === real
}

export const rememberTrust = async (folder: string, state = stateFolder()): Promise<void> => {
  const real = await realpath(folder)
  const record = recordOf(real, state)
  await mkdir(join(state, "trust"), { recursive: true, mode: 0o700 })
  // Renamed into place, because two commands may write the same file at once.
  const written = `${record}.${randomUUID()}`
  await writeFile(
    written,
    `${JSON.stringify({ folder: real, since: new Date().toISOString() })}\n`,
    { mode: 0o600 },
  )
  await rename(written, record)
}

const recordOf = (folder: string, state: string): string =>
  join(state, "trust", `${createHash("sha256").update(folder).digest("hex")}.json`)
