/** Formats a question of the run for a terminal. */
import type { Wait } from "@planloom/plugin/effect"
import { shownText } from "../run/answer/shownText.ts"
import type { Style } from "../terminal/Style.ts"
import { oneLine, visible, wrap } from "../terminal/text.ts"

export const questionText = (wait: Wait, style: Style, width: number): string => {
  const { message, options = [] } = wait
  return [
    ...wrap(visible(message), width - 2).map((line, index) =>
      index === 0 ? `${style.warn("?")} ${style.bold(line)}` : `  ${style.bold(line)}`,
    ),
    ...shownText(wait, style, width),
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
