/** Capabilities of the two output streams, and functions that write to them. */
import { standardError, standardOutput, type Output } from "./Output.ts"
import { styleOf, type Style } from "./Style.ts"

export interface Screen {
  readonly style: Style
  /** Whether it is a terminal on which lines can be redrawn. */
  readonly live: boolean
  /** Characters per line; a pipe has no limit. */
  readonly columns: () => number
  readonly rows: () => number
  readonly write: (text: string) => void
}

/** https://no-color.org: any non-empty value disables color; FORCE_COLOR enables it. */
const colored = (isTerminal: boolean, env: NodeJS.ProcessEnv): boolean => {
  if ((env["NO_COLOR"] ?? "") !== "") return false
  const forced = env["FORCE_COLOR"] ?? ""
  if (forced !== "") return forced !== "0" && forced !== "false"
  return isTerminal && env["TERM"] !== "dumb"
}

const screenOf = (stream: NodeJS.WriteStream, output: Output): Screen => {
  const isTerminal = stream.isTTY === true
  return {
    style: styleOf(colored(isTerminal, process.env)),
    live: isTerminal && process.env["TERM"] !== "dumb",
    columns: () => (isTerminal ? stream.columns || 80 : Infinity),
    rows: () => (isTerminal ? stream.rows || 24 : Infinity),
    write: (text) => output.write(text),
  }
}

/** Screen for results. */
export const stdout: Screen = screenOf(process.stdout, standardOutput)

/** Screen for progress, diagnostics and other messages. */
export const stderr: Screen = screenOf(process.stderr, standardError)

/** Prints a result and ends the line. */
export const print = (text: string): void => stdout.write(text.endsWith("\n") ? text : `${text}\n`)

/** Prints a message that is not the result. */
export const say = (text: string): void => stderr.write(text.endsWith("\n") ? text : `${text}\n`)

/** Width for text: at most 120, because longer lines are hard to read; unlimited on a pipe. */
export const textWidth = (screen: Screen): number => {
  const columns = screen.columns()
  return columns === Infinity ? Infinity : Math.min(columns, 120)
}
