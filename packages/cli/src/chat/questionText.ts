/** Formats a question of the run for a terminal. */
import type { Wait } from "@planloom/plugin/effect"
import type { Style } from "../terminal/Style.ts"
import { oneLine, visible, wrap } from "../terminal/text.ts"

/** Lines shown of the value to review. */
const MAX_SHOWN_LINES = 20

export const questionText = (
  { message, options = [], show }: Wait,
  style: Style,
  width: number,
): string => {
  const text =
    show === undefined ? "" : typeof show === "string" ? show : JSON.stringify(show, null, 2)
  const lines = text === "" ? [] : visible(text).split("\n")
  return [
    ...wrap(visible(message), width - 2).map((line, index) =>
      index === 0 ? `${style.warn("?")} ${style.bold(line)}` : `  ${style.bold(line)}`,
    ),
    ...lines.slice(0, MAX_SHOWN_LINES).flatMap((line) => wrap(`    ${line}`, width).map(style.dim)),
    ...(lines.length > MAX_SHOWN_LINES
      ? [style.dim(`    … ${lines.length - MAX_SHOWN_LINES} more lines`)]
      : []),
    ...options.map(
      (option, index) =>
        `    ${style.name(String(index + 1))}  ${oneLine(typeof option === "string" ? option : JSON.stringify(option))}`,
    ),
  ].join("\n")
}

/** The prompt before the answer. */
export const answerPrompt = ({ kind, options = [] }: Wait): string => {
  if (kind === "approval") return "  allow it? [y/N] "
  return options.length > 0 ? "  a number or your own text › " : "  › "
}
