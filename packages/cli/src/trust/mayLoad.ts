/** Decides whether a plugin's code may run: an installed package always, code of the folder once it is trusted. */
import { realpath } from "node:fs/promises"
import { relative } from "node:path"
import type { LoadDecision, MayLoad, PluginFile } from "@planloom/language"
import { askTrust, canAsk } from "./askTrust.ts"
import { guardImports } from "./guardImports.ts"
import { isInstalled } from "./isInstalled.ts"
import { isWithin } from "./isWithin.ts"
import { isTrusted, rememberTrust } from "./trustedFolders.ts"
import type { TrustChoice } from "./TrustChoice.ts"

/** By folder: twenty workflows of a project ask once. */
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
    refused: `${shown} is code of a folder that is not trusted, ${folder}`,
    help: "read the file; --trust runs it this once, the answer y on a terminal from now on; --no-plugins leaves it out",
  }
}
