/** Formats what a question shows: the fields of an approved call, all of them, and other values up to a length. */
import type { Json, Wait } from "@planloom/plugin/effect"
import type { Style } from "../../terminal/Style.ts"
import { plural } from "../../terminal/quantity.ts"
import { definitions } from "../../terminal/table.ts"
import { oneLine, visible, wrap } from "../../terminal/text.ts"

/** Maximum number of lines of a value; `runs show --json` prints all. */
const MAX_VALUE_LINES = 20
const INDENT = "    "
const LABEL_WIDTH = 30

/** Lines, indented below the question. */
export const shownText = (
  { fields, show }: Pick<Wait, "fields" | "show">,
  style: Style,
  width: number,
): ReadonlyArray<string> =>
  fields === undefined
    ? valueLines(show, style, width)
    : [
        ...definitions(
          fields.map(({ label, value }) => [
            style.name(oneLine(label)),
            wrap(fieldText(value), width - INDENT.length - LABEL_WIDTH - 2),
          ]),
          INDENT,
          LABEL_WIDTH,
        ),
        ...valueLines(withoutTool(show), style, width),
      ]

/** A line break of a value is a blank, because each line is a field. */
const fieldText = (value: Json): string =>
  oneLine(typeof value === "string" ? value : JSON.stringify(value))

/** The question names the tool. */
const withoutTool = (show: Json | undefined): Json | undefined => {
  const { tool: _, ...rest } = (show ?? {}) as { readonly [key: string]: Json }
  return Object.keys(rest).length === 0 ? undefined : rest
}

const valueLines = (show: Json | undefined, style: Style, width: number): ReadonlyArray<string> => {
  if (show === undefined) return []
  const text = typeof show === "string" ? show : JSON.stringify(show, null, 2)
  const lines = visible(text).split("\n")
  const rest = lines.length - MAX_VALUE_LINES
  return [
    ...lines.slice(0, MAX_VALUE_LINES).flatMap((line) => wrap(`${INDENT}${line}`, width)),
    ...(rest > 0 ? [style.dim(`${INDENT}… ${plural(rest, "more line")}`)] : []),
  ]
}
