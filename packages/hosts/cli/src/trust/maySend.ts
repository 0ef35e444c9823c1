/** Decides whether the value of a variable may go to an address that a stranger's file names: once a person agreed to this pair. */
import type { MaySend } from "@planloom/language"
import type { Sending } from "@planloom/plugin/effect"
import { oneLine } from "../terminal/text.ts"
import { canAsk, confirmed } from "./askTrust.ts"
import { hasAgreed, rememberAgreement } from "./agreedSendings.ts"
import { trustFolder } from "./trustAnswers.ts"
import type { TrustChoice } from "./TrustChoice.ts"
import { isTrusted } from "./trustedFolders.ts"

export const maySend = (choice: TrustChoice): MaySend => {
  const answers = new Map<string, Promise<boolean>>()
  let asking: Promise<unknown> = Promise.resolve()
  return async ({ folder: workflow, secret, to }) => {
    if (choice === "trust") return undefined
    const folder = await trustFolder(workflow)
    const pair = { secret, to }
    const isOwn = choice !== "imported" && (await isTrusted(folder))
    if (isOwn || (await hasAgreed(pair, folder))) return undefined
    const key = `${secret} ${to}`
    let answer = answers.get(key)
    if (answer === undefined) {
      // One question at a time.
      answer = asking.then(() => asked(pair, folder))
      asking = answer
      answers.set(key, answer)
    }
    return (await answer)
      ? undefined
      : `the folder ${folder} is not trusted, and its files send ${secret} to ${to}; review them: --trust sends it once, answering y at a terminal allows this variable and address`
  }
}

/** Without a terminal the answer is no. */
const asked = async (pair: Sending, folder: string): Promise<boolean> => {
  if (!canAsk()) return false
  const { secret, to } = pair
  const yes = await confirmed(
    {
      what: `A file of ${folder}, which is not trusted, sends the value of a variable:`,
      code: `${secret} to ${to}`,
    },
    "The owner of that address can use it. The answer yes is remembered for this variable and address.",
    `Send ${oneLine(secret)} to ${oneLine(to)}? [y/N] `,
  )
  if (yes) await rememberAgreement(pair)
  return yes
}
