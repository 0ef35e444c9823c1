/** Decides whether a plugin's code may run: installed packages always, code of the folder only if it is trusted. */
import type { LoadDecision, MayLoad, PluginFile } from "@planloom/language"
import { guardImports } from "./guardImports.ts"
import { isInstalled } from "./isInstalled.ts"
import { shownIn } from "./shownIn.ts"
import { answered, trustFolder } from "./trustAnswers.ts"
import type { TrustChoice } from "./TrustChoice.ts"
import { isTrusted } from "./trustedFolders.ts"

export const mayLoad =
  (choice: TrustChoice): MayLoad =>
  async (plugin): Promise<LoadDecision> => {
    if (choice === "no-plugins") return "skip"
    if (choice === "trust") return "load"
    const folder = await trustFolder(plugin.folder)
    if (choice !== "imported" && (await isTrusted(folder))) return "load"
    if (isInstalled(plugin.file)) {
      guardImports(plugin.file)
      return "load"
    }
    if (choice === "imported") return refusedImport(plugin, folder)
    const { file, name, place } = plugin
    const reason = {
      what: `${place} names the plugin "${name}", which is code of this folder:`,
      code: file,
    }
    return (await answered(reason, folder)) ? "load" : refusal(plugin, folder)
  }

const refusedImport = ({ file }: PluginFile, folder: string): LoadDecision => ({
  refused: `${shownIn(folder, file)} is code of a folder that an imported run names, ${folder}`,
  help: "review the run: planloom runs export; --trust runs the code of the folder once, --no-plugins skips it",
})

const refusal = ({ file }: PluginFile, folder: string): LoadDecision => {
  return {
    refused: `${shownIn(folder, file)} is code of an untrusted folder, ${folder}`,
    help: "review the file; --trust runs it once, answering y at a terminal trusts the folder permanently, --no-plugins skips it",
  }
}
