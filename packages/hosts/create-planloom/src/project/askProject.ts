/** Asks at the terminal what a new project is for; Ctrl-C ends the questions, and the answer is undefined. */
import { isCancel, select, text } from "@clack/prompts"
import { providerNames, providerOf, type ProviderName } from "./Provider.ts"
import { templateNames, templateOf, type TemplateName } from "./Template.ts"

const output = process.stderr

const answered = <A>(answer: A): Exclude<A, symbol> | undefined =>
  isCancel(answer) ? undefined : (answer as Exclude<A, symbol>)

export const askFolder = async (): Promise<string | undefined> =>
  answered(
    await text({
      message: "Where should the project be written?",
      placeholder: "my-planloom-app",
      defaultValue: "my-planloom-app",
      output,
    }),
  )

export const askTemplate = async (): Promise<TemplateName | undefined> =>
  answered(
    await select<TemplateName>({
      message: "What do you want to build?",
      options: templateNames.map((value) => ({
        value,
        label: `${value}: ${templateOf(value).summary}`,
      })),
      output,
    }),
  )

export const askProvider = async (template: TemplateName): Promise<ProviderName | undefined> =>
  answered(
    await select<ProviderName>({
      message: "Which models should it use?",
      options: providerNames
        .filter((name) => name !== "none" || templateOf(template).needsModel !== true)
        .map((value) => ({
          value,
          label:
            providerOf(value)?.title ?? "none: stages work by rules; you can add a model later",
        })),
      output,
    }),
  )
