/** Writes text as YAML that is read back as that text; without the YAML library, which hosts that start from artefacts do not load. */
import type { ScalarStyle } from "./scalarOffsets.ts"

/** The text without quotes where YAML certainly reads it so, else in double quotes. */
export const scalarText = (text: string, isFlow: boolean): string =>
  isPlain(text, isFlow) ? text : JSON.stringify(text)

const isPlain = (text: string, isFlow: boolean): boolean =>
  /^[^\s\-?:,[\]{}#&*!|>'"%@`~+<=](?:[^\p{Cc}\p{Zl}\p{Zp}\uFEFF]*\S)?$/u.test(text) &&
  !/:\s|\s#|:$/.test(text) &&
  !(isFlow && /[,[\]{}:]/.test(text)) &&
  Number.isNaN(Number(text)) &&
  !/^\.(?:\.\.|inf|nan)/i.test(text) &&
  !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text)

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
