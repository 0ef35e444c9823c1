/** How models write a document, and what they put around it. */
import type { Fields } from "./plans.ts"
import { variantOf, type DocumentDice } from "./replyDocuments.ts"
import { fence, json, type Kind } from "./ReplyKind.ts"
import { replyDamage } from "./replyDamage.ts"
import { textWith, type Writing } from "./writeReply.ts"

const around =
  (wrap: (text: string, dice: DocumentDice, document: Fields) => string): Kind =>
  (document, dice) => ({ text: wrap(json(document, dice), dice, document), expected: document })

const written =
  (writing: Partial<Writing>): Kind =>
  (document, dice) => ({
    text: textWith(document, dice.below(2) === 0 ? 2 : 0, writing),
    expected: document,
  })

const REMARKS = [
  "Let me know if you need anything else!",
  "Note: I left out [optional] fields; see {docs}.",
  "**Explanation**\n\n1. `id` is a number (e.g. 3).\n2. The rest is text.",
  "Hope that helps :) {see above}",
]

export const replyKinds: { readonly [name: string]: Kind } = {
  "a fence after words": around(
    (text, dice) => `Here you go:\n\n${fence(text)}\n\n${dice.one(REMARKS)}`,
  ),
  "an example in a fence before": around(
    (text, dice, document) =>
      `The input was\n\n${fence(json(variantOf(document, dice), dice))}\n\nThe output:\n\n${fence(text)}`,
  ),
  "code in other fences": around(
    (text, dice) =>
      `Run this:\n\n${fence("pip install x\nx({1: 2})", "python")}\n\nAnd the result:\n\n${fence(text)}\n${dice.one(REMARKS)}`,
  ),
  "a fence never closed": around((text) => `Sure.\n\`\`\`json\n${text}`),
  "words behind": around((text, dice) => `${text}\n\n${dice.one(REMARKS)}`),
  "words in front with braces": around((text) => `Using the format {name} and [list]:\n${text}`),
  "a corrected answer": around(
    (text, dice, document) =>
      `${json(variantOf(document, dice), dice)}\n\nWait, that is wrong. Corrected:\n\n${text}`,
  ),
  "a label": around(
    (text, dice) => `${dice.one(["json\n", "JSON: ", "Output:\n", "### Answer\n"])}${text}`,
  ),
  tags: around((text, dice) => {
    const tag = dice.one(["answer", "output", "json", "tool_call", "response"])
    return `<${tag}>\n${text}\n</${tag}>`
  }),
  "a thinking block with a draft": around(
    (text, dice, document) =>
      `<think>\nMaybe ${json(variantOf(document, dice), dice)}?\n</think>\n\n${text}`,
  ),
  "chat template marks": around(
    (text, dice) =>
      `${dice.one(["<|im_start|>assistant\n", "<|python_tag|>", "[/INST] "])}${text}${dice.one(["<|im_end|>", "</s>", "<|eot_id|>"])}`,
  ),
  "program code": around((text, dice) =>
    dice.one([
      `const result = ${text};`,
      `return ${text};`,
      `print(${text})`,
      `json.loads(${text})`,
    ]),
  ),
  "a byte order mark and odd blanks": around(
    (text) => `\ufeff\u200b${text.replaceAll(": ", ":\u00a0")}`,
  ),
  "HTML entities": around((text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;")),
  "encoded twice": around((text) => JSON.stringify(text)),
  "a Python literal": written({ quote: "python", literals: "python" }),
  "a Python literal with tuples": written({ quote: "python", literals: "python", lists: "()" }),
  "a JavaScript object": written({ quote: "single", names: "bare" }),
  "trailing commas and comments": written({ trailing: ",", comment: " // checked" }),
  "hash comments": written({ trailing: "", comment: "  # checked" }),
  "smart quotes": written({ quote: "smart" }),
  backticks: written({ quote: "backtick" }),
  "doubled quotes": written({ quote: "doubled" }),
  "equals signs": written({ colon: " = " }),
  arrows: written({ colon: " => ", quote: "single" }),
  semicolons: written({ comma: ";" }),
  "no commas": written({ comma: "" }),
  "bare words": written({ quote: "bare", names: "bare" }),
  "raw line ends": written({ quote: "raw" }),
  "inner quotes": (document, dice) => {
    const note = dice.one([
      'he said "yes" and left',
      'the "old" one',
      'a "b" c "d" e',
      'size 5" or 6"',
    ])
    const expected: Fields = { ...document, remark: note, last: 1 }
    return { text: json(expected, dice).replaceAll(/\\"/g, '"'), expected }
  },
  "inner quotes at the end": (document, dice) => {
    const expected: Fields = {
      ...document,
      remark: dice.one(['he said "yes"', '"quoted"', 'a "b"']),
    }
    return { text: json(expected, dice).replaceAll(/\\"/g, '"'), expected }
  },
  "an apostrophe in single quotes": (document, dice) => {
    const expected: Fields = {
      kind: "note",
      remark: dice.one(["it's fine", "don't, won't", "the users' list"]),
      estimate: dice.below(9),
      ...document,
    }
    return { text: textWith(expected, 2, { quote: "single" }).replaceAll("\\'", "'"), expected }
  },
  ...replyDamage,
}
