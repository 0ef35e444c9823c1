/** Prints the parser's results: help and version on standard output, usage errors on standard error. */
import type * as CliError from "effect/cli/CliError"
import type * as CliOutput from "effect/cli/CliOutput"
import type { ArgDoc } from "effect/cli/HelpDoc"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { suggestion } from "../project/nearest.ts"
import { usage } from "../Refused.ts"
import { refusalText } from "../terminal/refusalText.ts"
import { print, say, stderr, stdout, textWidth } from "../terminal/Screen.ts"
import { formatHelp } from "./formatHelp.ts"

export const presenter: CliOutput.Presenter = {
  present: (event) =>
    Effect.sync(() => {
      switch (event._tag) {
        case "Help":
          return print(formatHelp(event.helpDoc, stdout.style, textWidth(stdout)))
        case "Version":
          return print(`${event.name} v${event.version}`)
        case "InvalidInvocation": {
          const path = event.commandPath.join(" ")
          for (const error of event.errors) {
            say(refusalText(usageError(error, event.helpDoc.args), stderr.style))
          }
          return say(`\n  usage: ${event.helpDoc.usage}\n  more: ${path} --help`)
        }
      }
    }),
}

/** Converts the parser's errors to refusals. */
export const usageError = (error: CliError.NonShowHelpErrors, args: ReadonlyArray<ArgDoc> = []) => {
  switch (error._tag) {
    case "UnknownSubcommand":
      return usage(`unknown command "${error.subcommand}"`, near(error.suggestions))
    case "UnrecognizedOption":
      return usage(`unknown flag ${error.option}`, near(error.suggestions))
    case "MissingOption":
      return usage(`the flag --${error.option} is missing`)
    case "MissingArgument":
      return usage(
        `the argument <${error.argument}> is missing`,
        Option.getOrUndefined(
          args.find(({ name }) => name === error.argument)?.description ?? Option.none(),
        ),
      )
    case "UnexpectedArgument":
      return usage(`too many arguments: ${error.arguments.join(" ")}`)
    case "InvalidValue":
      return usage(
        error.value === ""
          ? `--${error.option} needs a value`
          : `${error.kind === "flag" ? `--${error.option}` : `<${error.option}>`} cannot be "${error.value}"`,
        expectation(error.value, error.expected),
      )
    default:
      return usage(error.message)
  }
}

/** Parses the choices from the parser's `"a" | "b"`. */
const expectation = (value: string, expected: string): string | undefined => {
  const choices = [...expected.matchAll(/"([^"]+)"/g)].map(([, choice]) => choice!)
  return choices.length > 1 && value !== "" ? suggestion(value, choices) : expected
}

const near = (suggestions: ReadonlyArray<string>): string | undefined =>
  suggestions.length === 0 ? undefined : `did you mean ${suggestions.join(" or ")}?`
