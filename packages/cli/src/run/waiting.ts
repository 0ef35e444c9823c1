/** Open questions of a run, in words, and how they are answered. */
import type { Json, Wait } from "@planloom/plugin"
import type { RunResult } from "@planloom/core"
import { plural } from "../terminal/quantity.ts"
import type { Style } from "../terminal/Style.ts"
import { oneLine, visible, wrap } from "../terminal/text.ts"
import { isYesOrNo } from "./answers.ts"
import { describeType } from "./schemaText.ts"

/** Lines of what is shown beside a question; `runs show --json` has all of it. */
const MOST_LINES = 20

/** The question, what it is about, and what there is to choose from. */
export const waitText = (
  { expiresAt, message, options, path, show }: Wait,
  style: Style,
  width: number,
): string =>
  [
    `${style.warn("?")} ${style.bold(oneLine(path))}  ${wrap(visible(message), width - 4).join("\n    ")}`,
    ...(show === undefined ? [] : shown(show, style)),
    ...(options ?? []).map(
      (option, index) =>
        `    ${index + 1}  ${oneLine(typeof option === "string" ? option : JSON.stringify(option))}`,
    ),
    ...(expiresAt === undefined
      ? []
      : [
          style.dim(
            `    ${isOver(expiresAt) ? "could be answered until" : "until"} ${new Date(expiresAt).toISOString()}`,
          ),
        ]),
  ].join("\n")

const isOver = (expiresAt: number | undefined): boolean =>
  expiresAt !== undefined && expiresAt <= Date.now()

const shown = (show: Json, style: Style): ReadonlyArray<string> => {
  const text = typeof show === "string" ? show : JSON.stringify(show, null, 2)
  const lines = visible(text).split("\n")
  const rest = lines.length - MOST_LINES
  return [
    ...lines.slice(0, MOST_LINES).map((line) => `    ${line}`),
    ...(rest > 0 ? [style.dim(`    … ${plural(rest, "more line")}`)] : []),
  ]
}

/** Every open question with the command that answers it. */
export const waitsText = ({ run, waits }: RunResult, style: Style, width: number): string =>
  [
    style.bold(
      style.warn(
        waits.length === 1
          ? "the run waits for an answer"
          : `the run waits for ${waits.length} answers`,
      ),
    ),
    ...waits.flatMap((wait) => [
      waitText(wait, style, width),
      `    ${style.dim(
        isOver(wait.expiresAt)
          ? `go on: planloom runs resume ${shellWord(run)}`
          : `answer: ${answerCommand(run, wait, waits.length === 1)}`,
      )}`,
    ]),
  ].join("\n")

/** As it is typed; one question alone needs no name. */
export const answerCommand = (run: string, { name, schema }: Wait, alone: boolean): string => {
  const which = alone ? "" : ` --name ${shellWord(name)}`
  const how = isYesOrNo(schema)
    ? "--yes (or --no --comment '…')"
    : `--value '…' (${describeType(schema)})`
  return `planloom runs answer ${shellWord(run)}${which} ${how}`
}

const shellWord = (text: string): string =>
  /^[\w./:~@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
