/** Formats a command's help, wrapped to the terminal. */
import type { ArgDoc, FlagDoc, HelpDoc } from "effect/cli/HelpDoc"
import * as Option from "effect/Option"
import type { Style } from "../terminal/Style.ts"
import { definitions } from "../terminal/table.ts"
import { wrap } from "../terminal/text.ts"

const INDENT = "  "
const NAME_WIDTH = 26

export const formatHelp = (doc: HelpDoc, style: Style, width: number): string => {
  const columns = Math.min(width, 100)
  const names = nameWidth(doc)
  const beside = columns - names - 4
  const section = (title: string, lines: ReadonlyArray<string>) =>
    lines.length === 0 ? [] : ["", style.bold(title), ...lines]
  const rows = (entries: ReadonlyArray<readonly [string, string]>) =>
    definitions(
      entries.map(([name, said]) => [name, wrap(said, beside)] as const),
      INDENT,
      names,
      names,
    )
  return [
    ...wrap(doc.description, columns),
    ...section("Usage", [`${INDENT}${style.name(doc.usage)}`]),
    ...(doc.subcommands ?? []).flatMap(({ commands, group }) =>
      section(
        group ?? "Commands",
        rows(
          commands.map(
            ({ description, name, shortDescription }) =>
              [style.name(name), shortDescription ?? description] as const,
          ),
        ),
      ),
    ),
    ...section("Arguments", rows((doc.args ?? []).map((arg) => argumentRow(arg, style)))),
    ...section("Flags", rows(doc.flags.map((flag) => flagRow(flag, style)))),
    ...(isRoot(doc)
      ? section("Global flags", rows((doc.globalFlags ?? []).map((flag) => flagRow(flag, style))))
      : []),
    ...section(
      "Examples",
      (doc.examples ?? []).flatMap(({ command, description }) => [
        ...(description === undefined ? [] : [`${INDENT}${style.dim(`# ${description}`)}`]),
        `${INDENT}${style.name(command)}`,
      ]),
    ),
  ].join("\n")
}

/** Returns one width for the name columns, wide enough for most names. */
const nameWidth = (doc: HelpDoc): number => {
  const names = [
    ...(doc.subcommands ?? []).flatMap(({ commands }) => commands.map(({ name }) => name)),
    ...(doc.args ?? []).map(({ name }) => `<${name}>…`),
    ...doc.flags.map(flagName),
    ...(isRoot(doc) ? (doc.globalFlags ?? []).map(flagName) : []),
  ]
  const fitting = names.map((name) => name.length).filter((length) => length <= NAME_WIDTH)
  return Math.max(8, ...fitting)
}

const isRoot = ({ commandPath }: HelpDoc): boolean => (commandPath?.length ?? 1) === 1

const flagName = (flag: FlagDoc): string =>
  [`--${flag.name}`, ...flag.aliases].join(", ") + (flag.type === "boolean" ? "" : ` ${flag.type}`)

const argumentRow = (arg: ArgDoc, style: Style): readonly [string, string] => [
  style.name(`<${arg.name}>${arg.variadic ? "…" : ""}`),
  `${text(arg.description)}${arg.required || arg.variadic ? "" : " (optional)"}`,
]

const flagRow = (flag: FlagDoc, style: Style): readonly [string, string] => {
  const names = [`--${flag.name}`, ...flag.aliases].join(", ")
  const value = flag.type === "boolean" ? "" : ` ${flag.type}`
  return [style.name(names) + style.dim(value), text(flag.description)]
}

/** Removes the choices that the parser appends: the flag's metavar already lists them. */
const text = (description: Option.Option<string>): string =>
  Option.getOrElse(description, () => "").replace(/ \(choices: [^)]*\)$/, "")
