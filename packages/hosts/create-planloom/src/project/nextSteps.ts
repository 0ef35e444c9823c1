/** Lists the commands that a person runs in a new project, as they are pasted into a shell. */
import { relative } from "node:path"
import type { PackageManager } from "./PackageManager.ts"
import { providerOf, type Provider, type ProviderName } from "./Provider.ts"
import { templateOf, type TemplateName } from "./Template.ts"

export const nextSteps = (given: {
  readonly dir: string
  readonly template: TemplateName
  readonly provider: ProviderName
  readonly manager: PackageManager
  readonly isInstalled: boolean
}): string => {
  const { install, run } = given.manager
  const template = templateOf(given.template)
  const folder = relative("", given.dir)
  const steps = [
    ...(folder === "" ? [] : [`cd ${shellWord(folder)}`]),
    ...(given.isInstalled ? [] : [install.join(" ")]),
    `${run} check`,
    `${run} test`,
    ...setUpModel(providerOf(given.provider)),
    `${run} run ${template.run.map(shellWord).join(" ")}`,
    ...(template.isMeasured ? [`${run} eval`] : []),
  ]
  return ["", "next:", ...steps.map((step) => `  ${step}`)].join("\n")
}

/** The commands after which the model answers. */
export const setUpModel = (provider: Provider | undefined): ReadonlyArray<string> => {
  if (provider?.key !== undefined)
    return [`cp .env.example .env   # put your key into .env: ${provider.key.page}`]
  return provider?.model.startsWith("ollama/") === true
    ? [`ollama pull ${provider.model.slice("ollama/".length)}`]
    : []
}

/** Double quotes mean the same to POSIX shells, PowerShell and cmd, unless a character inside is special to one of them. */
const shellWord = (text: string): string => {
  if (/^[\w./:=@-]+$/.test(text)) return text
  return /["$`\\!%]/.test(text) ? `'${text.replaceAll("'", `'\\''`)}'` : `"${text}"`
}
