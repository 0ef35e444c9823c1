/** Expression functions on texts. */
import type { Json } from "@planloom/plugin/effect"
import { linearPattern } from "@planloom/schema"
import { checkRange, define, fail, renderText, show } from "./ExpressionFunction.ts"
import type { ExpressionFunction } from "./ExpressionFunction.ts"
import { bool, int, listOf, number, string, union } from "../infer/Type.ts"

const texts = listOf(string)

const scalars = union([string, number, bool])

/** Runs in time linear in the length of the text for every pattern (RE2). */
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
    "Whether the text starts with another.",
    (text: string, part: string) => text.startsWith(part),
  ),
  define(
    "endsWith",
    "method",
    [string, string],
    bool,
    "Whether the text ends with another.",
    (text: string, part: string) => text.endsWith(part),
  ),
  define(
    "contains",
    "method",
    [string, string],
    bool,
    "Whether the text contains another.",
    (text: string, part: string) => text.includes(part),
  ),
  define(
    "lowerAscii",
    "method",
    [string],
    string,
    "The text with ASCII letters in lower case.",
    (text: string) => text.replace(/[A-Z]+/g, (part) => part.toLowerCase()),
  ),
  define(
    "upperAscii",
    "method",
    [string],
    string,
    "The text with ASCII letters in upper case.",
    (text: string) => text.replace(/[a-z]+/g, (part) => part.toUpperCase()),
  ),
  define(
    "trim",
    "method",
    [string],
    string,
    "The text without leading and trailing white space.",
    (text: string) => text.trim(),
  ),
  define(
    "indexOf",
    "method",
    [string, string],
    int,
    "The first position of another text, or -1.",
    (text: string, part: string) => text.indexOf(part),
  ),
  define(
    "lastIndexOf",
    "method",
    [string, string],
    int,
    "The last position of another text, or -1.",
    (text: string, part: string) => text.lastIndexOf(part),
  ),
  define(
    "substring",
    "method",
    [string, int, int],
    string,
    "The part from a start position to before an end position.",
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
    "The text with every occurrence replaced.",
    (text: string, from: string, to: string) => text.replaceAll(from, () => to),
  ),
  define(
    "split",
    "method",
    [string, string],
    texts,
    "The parts between separators.",
    (text: string, separator: string) => text.split(separator),
  ),
  define(
    "join",
    "method",
    [listOf(scalars), string],
    string,
    "The items as one text, with a separator between them.",
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
    "Whether a regular expression (RE2) matches a part of the text.",
    reMatch,
  ),
]
