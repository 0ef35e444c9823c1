/** Decides whether a plugin's code may run: installed packages always, code of the folder only if it is trusted. */
import { realpath } from "node:fs/promises"
import { relative } from "node:path"
import type { LoadDecision, MayLoad, PluginFile } from "@planloom/language"
import { askTrust, canAsk } from "./askTrust.ts"
import { guardImports } from "./guardImports.ts"
import { isInstalled } from "./isInstalled.ts"
import { isWithin } from "./isWithin.ts"
import { isTrusted, rememberTrust } from "./trustedFolders.ts"
import type { TrustChoice } from "./TrustChoice.ts"

/** Answers by folder, so that the workflows of a project ask only once. */
const answers = new Map<string, Promise<boolean>>()

export const mayLoad =
  (choice: TrustChoice): MayLoad =>
  async (plugin): Promise<LoadDecision> => {
    if (choice === "no-plugins") return "skip"
    if (choice === "trust") return "load"
    const { projectFolder } = await import("@planloom/language")
    const folder = await realpath(await projectFolder(plugin.folder))
    if (await isTrusted(folder)) return "load"
    if (isInstalled(plugin.file)) {
      guardImports(plugin.file)
      return "load"
    }
    return (await answered(plugin, folder)) ? "load" : refusal(plugin, folder)
  }

const answered = (plugin: PluginFile, folder: string): Promise<boolean> => {
  if (!canAsk()) return Promise.resolve(false)
  const known = answers.get(folder)
  if (known !== undefined) return known
  const answer = askTrust(plugin, folder).then(async (yes) => {
    if (yes) await rememberTrust(folder)
    return yes
  })
  answers.set(folder, answer)
  return answer
}

const refusal = ({ file }: PluginFile, folder: string): LoadDecision => {
  const shown = isWithin(folder, file) ? relative(folder, file) : file
  return {
    refused: `${shown} is code of an untrusted folder, ${folder}`,
    help: "review the file; --trust runs it once, answering y at a terminal trusts the folder permanently, --no-plugins skips it",
  }
}
