/** Decides whether a file may speak for the person, as by using a login: only in a trusted folder, because a stranger may have written it. */
import type { MayTrust } from "@planloom/language"
import { shownIn } from "./shownIn.ts"
import { answered, trustFolder } from "./trustAnswers.ts"
import type { TrustChoice } from "./TrustChoice.ts"
import { isTrusted } from "./trustedFolders.ts"

export const mayTrust =
  (choice: TrustChoice): MayTrust =>
  async ({ file, folder: workflow, matters, what }) => {
    if (choice === "trust") return undefined
    if (choice === "no-plugins") return "--no-plugins lets no file speak for you"
    const folder = await trustFolder(workflow)
    if (await isTrusted(folder)) return undefined
    const shown = shownIn(folder, file)
    const reason = { what: `The folder is not trusted, and ${shown}`, code: what }
    return matters && (await answered(reason, folder))
      ? undefined
      : `${shown} is a file of the folder ${folder}, which is not trusted; review it: --trust lets it speak for you once, answering y at a terminal trusts the folder permanently`
  }
