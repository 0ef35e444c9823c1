/** Implements `planloom init` and `npm create planloom`: asks, writes the project, installs it and prints what to do next. */
import { basename, resolve } from "node:path"
import { NotCreated } from "../NotCreated.ts"
import { createProject } from "./createProject.ts"
import { installProject } from "./installProject.ts"
import { nextSteps } from "./nextSteps.ts"
import { managerOf } from "./PackageManager.ts"
import { projectFiles } from "./projectFiles.ts"
import { providerNames, type ProviderName } from "./Provider.ts"
import { templateNames, templateOf, type TemplateName } from "./Template.ts"

export interface InitFlags {
  /** Asked for at a terminal unless given. */
  readonly dir: string | undefined
  readonly template: string | undefined
  readonly provider: string | undefined
  /** Asks nothing. */
  readonly yes: boolean
  readonly install: boolean
}

export interface InitHost {
  /** Prints a result. */
  readonly print: (line: string) => void
  /** Prints a message. */
  readonly say: (text: string) => void
  /** Whether a person can answer. */
  readonly isInteractive: boolean
  /** Runs after the files are written and before they are installed. */
  readonly written?: (folder: string) => Promise<void>
}

/** Throws `NotCreated`. `interrupted`: the person ended the questions, and nothing was written. */
export const initProject = async (
  flags: InitFlags,
  host: InitHost,
): Promise<"ok" | "interrupted" | "not_installed"> => {
  const chosen = await choose(flags, !flags.yes && host.isInteractive)
  if (chosen === undefined) {
    host.say("nothing was written")
    return "interrupted"
  }
  const { dir, provider, template } = chosen
  const manager = managerOf(process.env["npm_config_user_agent"])
  const files = await projectFiles({ name: basename(resolve(dir)), template, provider, manager })
  for (const path of await createProject(dir, files)) host.print(`+ ${path}`)
  await host.written?.(dir)
  const isInstalled = flags.install && (await installProject(dir, manager, host.say))
  host.say(nextSteps({ ...chosen, manager, isInstalled }))
  return flags.install && !isInstalled ? "not_installed" : "ok"
}

interface Chosen {
  readonly dir: string
  readonly template: TemplateName
  readonly provider: ProviderName
}

/** Undefined if the person ended the questions, which are loaded only for a person. */
const choose = async (flags: InitFlags, isAsked: boolean): Promise<Chosen | undefined> => {
  const known = {
    template: oneOf("template", templateNames, flags.template),
    provider: oneOf("provider", providerNames, flags.provider),
  }
  const asks = isAsked ? await import("./askProject.ts") : undefined
  const dir = flags.dir ?? (await asks?.askFolder())
  if (dir === undefined && !isAsked) throw missing("folder", "npm create planloom my-app")
  if (dir === undefined) return undefined
  const template = known.template ?? (isAsked ? await asks?.askTemplate() : "table")
  if (template === undefined) return undefined
  const provider = known.provider ?? (isAsked ? await asks?.askProvider(template) : "none")
  if (provider === undefined) return undefined
  if (provider === "none" && templateOf(template).needsModel) {
    throw missing("provider", `the template ${template} needs a model: --provider anthropic`)
  }
  return { dir, template, provider }
}

const oneOf = <A extends string>(
  flag: string,
  known: ReadonlyArray<A>,
  given: string | undefined,
): A | undefined => {
  const found = known.find((one) => one === given)
  if (found !== undefined || given === undefined) return found
  throw new NotCreated("usage", `there is no ${flag} "${given}"`, `--${flag} ${known.join("|")}`)
}

const missing = (what: string, help: string) => new NotCreated("usage", `no ${what} is given`, help)
