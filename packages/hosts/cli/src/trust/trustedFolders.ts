/** Stores the trusted folders: one file per folder, in the user's state folder. */
import { createHash } from "node:crypto"
import { readFile, realpath } from "node:fs/promises"
import { join } from "node:path"
import { stateFolder, writePrivately } from "@planloom/plugin/state"
import { holdsCommand } from "./holdsCommand.ts"
import { isWithin } from "./isWithin.ts"

/**
 * Returns whether a folder is trusted: the clone that the command runs from, or one that a person trusted. A state folder
 * inside the folder is ignored, because it could come with it.
 */
export const isTrusted = async (folder: string, state = stateFolder()): Promise<boolean> => {
  const real = await realpath(folder)
  if (holdsCommand(real)) return true
  if (await isStateOf(real, state)) return false
  const text = await readFile(recordOf(real, state), "utf8").catch(() => undefined)
  return text !== undefined && (JSON.parse(text) as { readonly folder?: unknown }).folder === real
}

/** Whether a state folder is missing, or inside a folder. */
export const isStateOf = async (folder: string, state: string): Promise<boolean> => {
  const inside = await realpath(state).catch(() => undefined)
  return inside === undefined || isWithin(folder, inside)
}

export const rememberTrust = async (folder: string, state = stateFolder()): Promise<void> => {
  const real = await realpath(folder)
  const record = { folder: real, since: new Date().toISOString() }
  await writePrivately(recordOf(real, state), `${JSON.stringify(record)}\n`)
}

const recordOf = (folder: string, state: string): string =>
  join(state, "trust", `${createHash("sha256").update(folder).digest("hex")}.json`)
