/** Computes what stands for the names between double braces in the files of templates. */
import type { PackageManager } from "./PackageManager.ts"
import { setUpModel } from "./nextSteps.ts"
import { providerOf, type Provider, type ProviderName } from "./Provider.ts"
import { templateOf, type Template, type TemplateName } from "./Template.ts"

export interface ProjectChoice {
  /** The folder's own name. */
  readonly name: string
  readonly template: TemplateName
  readonly provider: ProviderName
  readonly manager: PackageManager
}

export const templateValues = (choice: ProjectChoice): { readonly [name: string]: string } => {
  const template = templateOf(choice.template)
  const provider = providerOf(choice.provider)
  const { manager } = choice
  return {
    name: choice.name,
    run: manager.run,
    ci_install: manager.ci.map((step) => `      ${step}`).join("\n"),
    plugin: provider === undefined ? "" : `, "${provider.plugin}"`,
    model: provider === undefined ? withoutModel(template) : withModel(template, provider),
    env: envOf(provider),
    setup: setupOf(manager, provider),
    editor: `The first line of each YAML file names its schema in \`.planloom/schema\`, from which editors complete and check keys (VS Code: the
extension YAML). An installation refreshes the schemas; \`${manager.run} schema\` does so after you add a plugin.`,
  }
}

const withModel = ({ alias, isMechanical }: Template, { key, model, settings }: Provider) => {
  const lines = [
    `try: [${model}]`,
    ...(settings === undefined ? [] : [settings]),
    ...(isMechanical ? ["otherwise: mechanical"] : []),
  ]
  const secrets = key === undefined ? "" : `secrets: [${key.name}]\n`
  return `${secrets}defaults: { model: ${alias} }\nmodels:\n  ${alias}: { ${lines.join(", ")} }`
}

const withoutModel = ({ alias }: Template) =>
  `# Without a model the stages work by rules. For one, install its SDK (npm install @anthropic-ai/sdk), add
# "@planloom/provider-anthropic" to the plugins, put the key into .env, and declare:
#   secrets: [ANTHROPIC_API_KEY]
#   models: { ${alias}: { try: [anthropic/claude-haiku-4-5] } }
#   defaults: { model: ${alias} }`

const envOf = (provider: Provider | undefined): string =>
  provider?.key === undefined
    ? "# This project needs no key. Copy this file to .env for values of secrets that workflows name."
    : `# Copy this file to .env, which git ignores. Get a key: ${provider.key.page}\n${provider.key.name}=`

const setupOf = ({ install, run }: PackageManager, provider: Provider | undefined): string =>
  [
    "## Set up",
    "",
    "```sh",
    install.join(" "),
    ...setUpModel(provider),
    `${run} doctor   # what is missing, if anything`,
    "```",
  ].join("\n")
