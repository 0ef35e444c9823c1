/** Whether code of a workflow's folder may run, by earlier answers and by a question at the terminal. */
import { realpath } from "node:fs/promises"
import { askTrust, canAsk, type Reason } from "./askTrust.ts"
import { rememberTrust } from "./trustedFolders.ts"

/** Answers by folder, so that the workflows of a project ask only once. */
const answers = new Map<string, Promise<boolean>>()

/** The real path of the project folder, which is what a person trusts. */
export const trustFolder = async (workflowFolder: string): Promise<string> => {
  const { projectFolder } = await import("@planloom/language")
  return realpath(await projectFolder(workflowFolder))
}

/** Asks once at a terminal; without one the answer is no. A yes is remembered. */
export const answered = (reason: Reason, folder: string): Promise<boolean> => {
  if (!canAsk()) return Promise.resolve(false)
  const known = answers.get(folder)
  if (known !== undefined) return known
  const answer = askTrust(reason, folder).then(async (yes) => {
    if (yes) await rememberTrust(folder)
    return yes
  })
  answers.set(folder, answer)
  return answer
}
