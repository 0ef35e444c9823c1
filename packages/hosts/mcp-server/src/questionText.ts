/** A question with what it shows, as text for a person. */
import type { Json, Wait } from "@planloom/plugin/effect"

export const questionText = ({ fields, message, options, show }: Wait): string => {
  const shown =
    fields?.map(({ label, value }) => `${label}: ${text(value)}`) ??
    (show === undefined ? [] : [text(show)])
  return [
    message,
    ...shown,
    ...(options === undefined ? [] : [`Suggested: ${options.map(text).join(", ")}`]),
  ].join("\n")
}

const text = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value))
