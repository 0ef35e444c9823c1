/** PL0008: the file holds more than one document. */
import type { Rule } from "./Rule.ts"

export const manyDocuments: Rule = {
  code: "PL0008",
  slug: "many_documents",
  severity: "error",
  title: "The file holds more than one document",
  why: "Only the first one would be read.",
  fix: "Move what follows `---` to a file of its own.",
  wrong: "name: a\n---\nname: b",
  right: "name: a",
}
