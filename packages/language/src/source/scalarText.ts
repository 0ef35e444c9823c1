/** Writes text as YAML that is read back as that text. */
import * as Yaml from "yaml"
import type { ScalarStyle } from "./scalarOffsets.ts"
import { yamlOptions } from "./yamlOptions.ts"

/** The text without quotes where YAML reads it so, else in double quotes. */
export const scalarText = (text: string, isFlow: boolean): string =>
  isPlain(text, isFlow) ? text : JSON.stringify(text)

const isPlain = (text: string, isFlow: boolean): boolean => {
  if (/^$|[\n\r\t]/.test(text)) return false
  try {
    const parsed = Yaml.parseDocument(isFlow ? `[${text}]` : `- ${text}`, yamlOptions)
    return parsed.errors.length === 0 && JSON.stringify(parsed.toJS()) === JSON.stringify([text])
  } catch {
    return false
  }
}

/** A part of a text as it stands inside of a scalar of a style; undefined where the style cannot hold it. */
export const partText = (text: string, style: ScalarStyle): string | undefined => {
  switch (style) {
    case "QUOTE_DOUBLE":
      return JSON.stringify(text).slice(1, -1)
    case "QUOTE_SINGLE":
      return text.includes("\n") ? undefined : text.replaceAll("'", "''")
    default:
      return text.includes("\n") ? undefined : text
  }
}
