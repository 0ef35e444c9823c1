/** Decides whether a command that a file names may be started: only if the folder is trusted, because its files say what runs. */
import type { MayStart } from "@planloom/language"
import { shownIn } from "./shownIn.ts"
import { answered, trustFolder } from "./trustAnswers.ts"
import type { TrustChoice } from "./TrustChoice.ts"
import { isTrusted } from "./trustedFolders.ts"

export const mayStart =
  (choice: TrustChoice): MayStart =>
  async ({ args, command, file, folder: workflow, what }) => {
    if (choice === "trust") return undefined
    if (choice === "no-plugins") return "--no-plugins starts no command that a file names"
    const folder = await trustFolder(workflow)
    const shown = shownIn(folder, file)
    if (choice === "imported") {
      return `${shown} names the command for an imported run; review it: --trust starts it once`
    }
    if (await isTrusted(folder)) return undefined
    const reason = {
      what: `${shown} declares ${what}, which starts a command:`,
      code: [command, ...args].join(" "),
    }
    return (await answered(reason, folder))
      ? undefined
      : `${shown} names the command, and the folder ${folder} is not trusted; review the command: --trust starts it once, answering y at a terminal trusts the folder permanently`
  }
