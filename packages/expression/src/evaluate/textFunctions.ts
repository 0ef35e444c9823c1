/** Functions of texts. */
import type { Json } from "@planloom/plugin"
import { linearPattern } from "@planloom/schema"
import { checkRange, define, fail, renderText, show } from "./ExpressionFunction.ts"
import type { ExpressionFunction } from "./ExpressionFunction.ts"
import { bool, int, listOf, number, string, union } from "../infer/Type.ts"

const texts = listOf(string)

const scalars = union([string, number, bool])

/** Linear in the length of the text, whatever the pattern (RE2). */
const reMatch = (text: string, pattern: string): boolean => {
  try {
    return linearPattern(pattern).test(text)
  } catch (error) {
    if (error instanceof TypeError) return fail(error.message)
    throw error
  }
}

export const textFunctions: ReadonlyArray<ExpressionFunction> = [
  define(
    "startsWith",
    "method",
    [string, string],
    bool,
    "Whether it begins with a text.",
    (text: string, part: string) => text.startsWith(part),
  ),
  define(
    "endsWith",
    "method",
    [string, string],
    bool,
    "Whether it ends with a text.",
    (text: string, part: string) => text.endsWith(part),
  ),
  define(
    "contains",
    "method",
    [string, string],
    bool,
    "Whether it has a text in it.",
    (text: string, part: string) => text.includes(part),
  ),
  define("lowerAscii", "method", [string], string, "In small letters.", (text: string) =>
    text.replace(/[A-Z]+/g, (part) => part.toLowerCase()),
  ),
  define("upperAscii", "method", [string], string, "In capital letters.", (text: string) =>
    text.replace(/[a-z]+/g, (part) => part.toUpperCase()),
  ),
  define("trim", "method", [string], string, "Without white space around it.", (text: string) =>
    text.trim(),
  ),
  define(
    "indexOf",
    "method",
    [string, string],
    int,
    "Where a text begins in it, or -1.",
    (text: string, part: string) => text.indexOf(part),
  ),
  define(
    "lastIndexOf",
    "method",
    [string, string],
    int,
    "Where a text begins last in it, or -1.",
    (text: string, part: string) => text.lastIndexOf(part),
  ),
  define(
    "substring",
    "method",
    [string, int, int],
    string,
    "From a place, up to another.",
    (text: string, start: number, end: number = text.length) => {
      checkRange(text, start, end)
      return text.substring(start, end)
    },
    1,
  ),
  define(
    "replace",
    "method",
    [string, string, string],
    string,
    "With every occurrence replaced.",
    (text: string, from: string, to: string) => text.replaceAll(from, () => to),
  ),
  define(
    "split",
    "method",
    [string, string],
    texts,
    "Parts between a separator.",
    (text: string, separator: string) => text.split(separator),
  ),
  define(
    "join",
    "method",
    [listOf(scalars), string],
    string,
    "One text, with a separator between.",
    (list: ReadonlyArray<Json>, separator = "") =>
      list
        .map((item) =>
          typeof item === "object" ? fail(`join() of ${show(item)}`) : renderText(item),
        )
        .join(separator),
    1,
  ),
  define(
    "re_match",
    "function",
    [string, string],
    bool,
    "Whether a regular expression (RE2) finds something.",
    reMatch,
  ),
]
