/** Stores which variables a person lets go to which addresses: one file per pair, in the user's state folder. */
import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { Sending } from "@planloom/plugin/effect"
import { stateFolder, writePrivately } from "@planloom/plugin/state"
import { isStateOf } from "./trustedFolders.ts"

/** A state folder inside `folder` is ignored, because it could come with it. */
export const hasAgreed = async (
  { secret, to }: Sending,
  folder: string,
  state = stateFolder(),
): Promise<boolean> => {
  if (await isStateOf(folder, state)) return false
  const text = await readFile(recordOf({ secret, to }, state), "utf8").catch(() => undefined)
  if (text === undefined) return false
  const found = JSON.parse(text) as { readonly [key: string]: unknown }
  return found["secret"] === secret && found["to"] === to
}

export const rememberAgreement = (
  { secret, to }: Sending,
  state = stateFolder(),
): Promise<void> => {
  const record = { secret, to, since: new Date().toISOString() }
  return writePrivately(recordOf({ secret, to }, state), `${JSON.stringify(record)}\n`)
}

const recordOf = ({ secret, to }: Sending, state: string): string =>
  join(
    state,
    "trust",
    "sends",
    `${createHash("sha256")
      .update(JSON.stringify([secret, to]))
      .digest("hex")}.json`,
  )
