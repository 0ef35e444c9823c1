/** The written document, damaged as a whole. */
import type { Faults } from "./Fault.ts"

export const textFaults = {
  "no last bracket": { layer: "text", apply: (text) => text.slice(0, -1).trimEnd() },
  "no last brackets": { layer: "text", apply: (text) => text.replace(/[\s\]}]+$/, "") },
  "one bracket too many": { layer: "text", apply: (text) => `${text}}` },
  "the last bracket swapped": { layer: "text", apply: (text) => `${text.slice(0, -1)}]` },
  "the last brackets in the wrong order": {
    layer: "text",
    apply: (text) => {
      const tail = /\](\s*)\}$/.exec(text)
      return tail === null ? undefined : `${text.slice(0, tail.index)}}${tail[1]}]`
    },
  },
  "two brackets for one": { layer: "text", apply: (text) => `{${text}}` },
  "encoded twice": { layer: "text", apply: (text) => JSON.stringify(text) },
  "quotes escaped": {
    layer: "text",
    apply: (text) => text.replaceAll("\\", "\\\\").replaceAll('"', '\\"'),
  },
  "escaped line ends": { layer: "text", apply: (text) => text.replaceAll("\n", "\\n") },
  "carriage returns": { layer: "text", apply: (text) => text.replaceAll("\n", "\r\n") },
  tabs: { layer: "text", apply: (text) => text.replaceAll("  ", "\t") },
  "a comma before": { layer: "text", apply: (text) => text.replace("{", "{,") },
  "a comma after": { layer: "text", apply: (text) => `${text},` },
} satisfies Faults
