/** Formats the open questions of a run, with the commands that answer them. */
import type { Wait } from "@planloom/plugin/effect"
import type { RunResult } from "@planloom/core"
import type { Style } from "../../terminal/Style.ts"
import { oneLine, visible, wrap } from "../../terminal/text.ts"
import { fieldsOf, type Field } from "./askFields.ts"
import { isYesOrNo } from "./readAnswer.ts"
import { describeType } from "../schemaText.ts"
import { shownText } from "./shownText.ts"

/** Formats a question with its value and its options. */
export const waitText = (wait: Wait, style: Style, width: number): string => {
  const { expiresAt, message, options, path } = wait
  return [
    `${style.warn("?")} ${style.bold(oneLine(path))}  ${wrap(visible(message), width - 4).join("\n    ")}`,
    ...shownText(wait, style, width),
    ...(options ?? []).map(
      (option, index) =>
        `    ${index + 1}  ${oneLine(typeof option === "string" ? option : JSON.stringify(option))}`,
    ),
    ...(expiresAt === undefined
      ? []
      : [
          style.dim(
            `    ${isOver(expiresAt) ? "expired" : "expires"} ${new Date(expiresAt).toISOString()}`,
          ),
        ]),
  ].join("\n")
}

const isOver = (expiresAt: number | undefined): boolean =>
  expiresAt !== undefined && expiresAt <= Date.now()

/** Formats every open question with the command that answers it; `needs` are the flags that a resume needs. */
export const waitsText = (
  { run, waits }: RunResult,
  style: Style,
  width: number,
  needs: ReadonlyArray<string> = [],
): string =>
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
        wait.kind === "timer" || isOver(wait.expiresAt)
          ? `resume: ${resumeCommand(run, needs)}`
          : `answer: ${answerCommand(run, wait, waits.length === 1, needs)}`,
      )}`,
    ]),
  ].join("\n")

/** Returns the command that resumes a run. */
export const resumeCommand = (run: string, needs: ReadonlyArray<string>): string =>
  ["planloom runs resume", shellWord(run), ...needs].join(" ")

/** Returns the command that runs a failed run again from the stage that failed. */
export const resetCommand = (run: string, needs: ReadonlyArray<string>): string =>
  ["planloom runs reset", shellWord(run), ...needs].join(" ")

/** Returns the command that answers a question; a single question needs no name. */
const answerCommand = (
  run: string,
  wait: Wait,
  alone: boolean,
  needs: ReadonlyArray<string>,
): string => {
  const which = [...(alone ? [] : [`--name ${shellWord(wait.name)}`]), ...needs]
    .map((flag) => ` ${flag}`)
    .join("")
  return `planloom runs answer ${shellWord(run)}${which} ${answerFlags(wait)}`
}

/** The flags that give an answer to a question. */
export const answerFlags = (wait: Pick<Wait, "options" | "schema">): string => {
  if (isYesOrNo(wait.schema)) return "--yes (or --no --comment '…')"
  const fields = fieldsOf(wait)
  if (fields === undefined) return `--value '…' (${describeType(wait.schema)})`
  const flags = fields.map(({ name }) => `--field ${shellWord(name)}=…`)
  return `${flags.join(" ")} (${fields.map(fieldText).join(", ")})`
}

const fieldText = ({ isRequired, name, schema }: Field): string =>
  `${name}${isRequired ? "" : "?"}: ${describeType(schema)}`

const shellWord = (text: string): string =>
  /^[\w./:~@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
