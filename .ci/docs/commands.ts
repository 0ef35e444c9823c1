/** The commands' own descriptions → the pages of docs/cli.md. */
import * as CliConfig from "effect/cli/CliConfig"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import type { HelpDoc } from "effect/cli/HelpDoc"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { exitCodes } from "../../packages/hosts/cli/src/ExitCode.ts"
import { planloom } from "../../packages/hosts/cli/src/planloom.ts"
import { parserServices } from "../../packages/hosts/cli/src/terminal/parserServices.ts"

/** What `planloom <path> --help` shows, as data. */
const helpOf = async (path: ReadonlyArray<string>): Promise<HelpDoc> => {
  let found: HelpDoc | undefined
  const presenter: CliOutput.Presenter = {
    present: (event) =>
      Effect.sync(() => {
        if (event._tag === "Help") found = event.helpDoc
      }),
  }
  await Effect.runPromise(
    Command.runWith(planloom, { version: "0" })([...path, "--help"]).pipe(
      Effect.provideService(
        CliConfig.CliConfig,
        CliConfig.make({ builtIns: [GlobalFlag.Help] as never }),
      ),
      Effect.provideService(CliOutput.Presenter, presenter),
      Effect.provideContext(parserServices),
    ),
  )
  if (found === undefined) throw new Error(`no help for ${path.join(" ")}`)
  return found
}

const commandsOf = (doc: HelpDoc) => (doc.subcommands ?? []).flatMap(({ commands }) => commands)

/** Every command that does something, as it is typed: `check`, `runs list`. */
export const commandNames = async (): Promise<ReadonlyArray<string>> => {
  const names = commandsOf(await helpOf([])).map(({ name }) => name)
  const all = await Promise.all(
    names.map(async (name) => {
      const doc = await helpOf([name])
      const inner = commandsOf(doc).map((sub) => `${name} ${sub.name}`)
      // A command that takes arguments does something beside its subcommands.
      return inner.length === 0 || (doc.args ?? []).length > 0 ? [name, ...inner] : inner
    }),
  )
  return all.flat()
}

/** Every flag of every command, as it is typed: `check --format`; those of all commands by themselves: `--debug`. */
export const flagNames = async (): Promise<ReadonlyArray<string>> => {
  const { globalFlags = [] } = await helpOf([])
  const own = await Promise.all(
    (await commandNames()).map(async (name) =>
      (await helpOf(name.split(" "))).flags.map((flag) => `${name} --${flag.name}`),
    ),
  )
  return [...globalFlags.map(({ name }) => `--${name}`), ...own.flat()]
}

/** Every command and subcommand, in the order of the root's help. */
export const reference = async (): Promise<string> => {
  const root = await helpOf([])
  const pages: Array<string> = []
  for (const { name } of commandsOf(root)) {
    const doc = await helpOf([name])
    pages.push(page([name], doc))
    for (const sub of commandsOf(doc))
      pages.push(page([name, sub.name], await helpOf([name, sub.name])))
  }
  return pages.join("\n")
}

const page = (path: ReadonlyArray<string>, doc: HelpDoc): string =>
  [
    `${"#".repeat(path.length + 2)} ${path.join(" ")}`,
    "",
    doc.description,
    "",
    "```console",
    doc.usage,
    "```",
    "",
    ...rows(
      "argument",
      (doc.args ?? []).map((arg) => [
        `${arg.name}${arg.variadic ? "…" : ""}`,
        said(arg.description) + (arg.required || arg.variadic ? "" : " (optional)"),
      ]),
    ),
    ...rows(
      "flag",
      doc.flags.map((flag) => [
        [`--${flag.name}`, ...flag.aliases].join(", ") +
          (flag.type === "boolean" ? "" : ` ${flag.type}`),
        said(flag.description),
      ]),
    ),
    ...((doc.examples ?? []).length === 0
      ? []
      : [
          "```console",
          ...(doc.examples ?? []).flatMap(({ command, description }) => [
            ...(description === undefined ? [] : [`# ${description}`]),
            command,
          ]),
          "```",
          "",
        ]),
  ].join("\n")

const rows = (
  what: string,
  entries: ReadonlyArray<readonly [string, string]>,
): ReadonlyArray<string> =>
  entries.length === 0
    ? []
    : [
        `| ${what} | |`,
        "|---|---|",
        ...entries.map(
          ([name, text]) =>
            `| \`${name.replaceAll("|", "\\|")}\` | ${text.replaceAll("|", "\\|")} |`,
        ),
        "",
      ]

const said = (description: Option.Option<string>): string =>
  Option.getOrElse(description, () => "").replace(/ \(choices: [^)]*\)$/, "")

export const exitCodeTable = (): string =>
  [
    "| code | meaning |",
    "|---|---|",
    ...Object.values(exitCodes).map(({ code, meaning }) => `| ${code} | ${meaning} |`),
  ].join("\n")
