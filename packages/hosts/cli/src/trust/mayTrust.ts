/** Decides whether a file may speak for the person, as by using a login: only in a trusted folder, because a stranger may have written it. */
import type { MayTrust } from "@planloom/language"
import { say } from "../terminal/Screen.ts"
import { oneLine } from "../terminal/text.ts"
import { shownIn } from "./shownIn.ts"
import { answered, trustFolder } from "./trustAnswers.ts"
import type { TrustChoice } from "./TrustChoice.ts"
import { isTrusted } from "./trustedFolders.ts"

/** What does not count although it would make a difference is said once. */
export const mayTrust = (choice: TrustChoice): MayTrust => {
  const said = new Set<string>()
  return async ({ file, folder: workflow, matters, what }) => {
    if (choice === "trust") return undefined
    if (choice === "no-plugins") return "--no-plugins lets no file speak for you"
    const folder = await trustFolder(workflow)
    const shown = shownIn(folder, file)
    if (choice === "imported") {
      return `${shown} is a file of an imported run; review it: --trust lets it speak for you once`
    }
    if (await isTrusted(folder)) return undefined
    const refusal = `${shown} is a file of the folder ${folder}, which is not trusted; review it: --trust lets it speak for you once, answering y at a terminal trusts the folder permanently`
    if (!matters) return refusal
    const reason = { what: `The folder is not trusted, and ${shown}`, code: what }
    if (await answered(reason, folder)) return undefined
    const line = oneLine(`${shown} ${what}, which does not count: ${refusal}`)
    if (!said.has(line)) say(line)
    said.add(line)
    return refusal
  }
}
