/** Expression functions on texts. */
import type { Json } from "@planloom/plugin/effect"
import { linearPattern } from "@planloom/schema"
import { checkLength, checkRange, define, fail, renderText, show } from "./ExpressionFunction.ts"
import type { ExpressionFunction } from "./ExpressionFunction.ts"
import { formatText, unknownVerb } from "./formatText.ts"
import { any, bool, int, listOf, number, string, union } from "../infer/Type.ts"

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

const replace = (text: string, from: string, to: string): string => {
  if (to.length > from.length) {
    const count = text.split(from).length - 1
    checkLength(text.length + count * (to.length - from.length), "replace")
  }
  return text.replaceAll(from, () => to)
}

const join = (list: ReadonlyArray<Json>, separator = ""): string => {
  const parts = list.map((item) =>
    typeof item === "object" ? fail(`join() of ${show(item)}`) : renderText(item),
  )
  const length = parts.reduce((sum, part) => sum + part.length + separator.length, 0)
  checkLength(length, "join")
  return parts.join(separator)
}

/** A function of one text. */
const ofText = (
  signature: string,
  summary: string,
  example: readonly [expression: string, result: Json],
  apply: (text: string) => string,
): ExpressionFunction =>
  define(signature, { summary, example, params: [string], returns: string, apply })

/** A function of a text and another text. */
const ofTexts = (
  signature: string,
  summary: string,
  example: readonly [expression: string, result: Json],
  returns: ExpressionFunction["returns"],
  apply: (text: string, part: string) => Json,
): ExpressionFunction =>
  define(signature, { summary, example, params: [string, string], returns, apply })

export const textFunctions = (): ReadonlyArray<ExpressionFunction> => [
  ofTexts(
    "startsWith(text, part: text) → bool",
    "Whether the text starts with another.",
    ["'planloom'.startsWith('plan')", true],
    bool,
    (text, part) => text.startsWith(part),
  ),
  ofTexts(
    "endsWith(text, part: text) → bool",
    "Whether the text ends with another.",
    ["'planloom'.endsWith('plan')", false],
    bool,
    (text, part) => text.endsWith(part),
  ),
  ofTexts(
    "contains(text, part: text) → bool",
    "Whether the text contains another.",
    ["'planloom'.contains('loom')", true],
    bool,
    (text, part) => text.includes(part),
  ),
  ofText("lower(text) → text", "The text in lower case.", ["lower('ÄB')", "äb"], (text) =>
    text.toLowerCase(),
  ),
  ofText("upper(text) → text", "The text in upper case.", ["upper('äb')", "ÄB"], (text) =>
    text.toUpperCase(),
  ),
  ofText(
    "lowerAscii(text) → text",
    "The text with ASCII letters in lower case.",
    ["lowerAscii('ÄB')", "Äb"],
    (text) => text.replace(/[A-Z]+/g, (part) => part.toLowerCase()),
  ),
  ofText(
    "upperAscii(text) → text",
    "The text with ASCII letters in upper case.",
    ["upperAscii('äb')", "äB"],
    (text) => text.replace(/[a-z]+/g, (part) => part.toUpperCase()),
  ),
  ofText(
    "trim(text) → text",
    "The text without leading and trailing white space.",
    ["trim('  tea ')", "tea"],
    (text) => text.trim(),
  ),
  ofTexts(
    "indexOf(text, part: text) → int",
    "The first position of another text, or -1.",
    ["'abab'.indexOf('b')", 1],
    int,
    (text, part) => text.indexOf(part),
  ),
  ofTexts(
    "lastIndexOf(text, part: text) → int",
    "The last position of another text, or -1.",
    ["'abab'.lastIndexOf('b')", 3],
    int,
    (text, part) => text.lastIndexOf(part),
  ),
  define("substring(text, start: int, end?: int) → text", {
    summary: "The part from a start position to before an end position.",
    example: ["'planloom'.substring(4)", "loom"],
    params: [string, int, int],
    optional: 1,
    returns: string,
    apply: (text: string, start: number, end: number = text.length) => {
      checkRange(text, start, end)
      return text.substring(start, end)
    },
  }),
  define("replace(text, from: text, to: text) → text", {
    summary: "The text with every occurrence replaced.",
    example: ["replace('a-b-c', '-', '+')", "a+b+c"],
    params: [string, string, string],
    returns: string,
    apply: replace,
  }),
  ofTexts(
    "split(text, separator: text) → list<text>",
    "The parts between separators.",
    ["split('a,b', ',')", ["a", "b"]],
    texts,
    (text, separator) => text.split(separator),
  ),
  define("join(list, separator?: text) → text", {
    summary: "The items as one text, with a separator between them.",
    example: ["join([1, 2], ' + ')", "1 + 2"],
    params: [listOf(scalars), string],
    optional: 1,
    returns: string,
    apply: join,
  }),
  define("format(text, values: list) → text", {
    summary:
      "The text with `%s` (any value), `%d` (whole number), `%.2f` (digits) and `%x` (hexadecimal) replaced by the values in order; `%%` is a percent sign.",
    example: ["'%s costs %.2f'.format(['tea', 1.5])", "tea costs 1.50"],
    params: [string, listOf(any)],
    returns: string,
    check: ([text]) => {
      const verb =
        text?.kind === "string" ? text.values?.map(unknownVerb).find((one) => one) : undefined
      return verb === undefined
        ? undefined
        : {
            index: 0,
            code: "PL1203",
            message: `format() has no "${verb}"`,
            help: "there are: %s, %d, %f, %.2f, %x, %%",
          }
    },
    apply: formatText,
  }),
  define("re_match(text, pattern: text) → bool", {
    summary: "Whether a regular expression (RE2) matches a part of the text.",
    example: ["re_match('order 17', '[0-9]+')", true],
    params: [string, string],
    returns: bool,
    apply: reMatch,
  }),
]
