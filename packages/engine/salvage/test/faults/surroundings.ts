/** What models write around a document. */
import type { Faults } from "./Fault.ts"
import type { JsonObject } from "../../src/Salvage.ts"

const around = (before: string, after = "") => ({
  layer: "around" as const,
  apply: (text: string) => `${before}${text}${after}`,
})

const draft = (value: JsonObject) =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === "number" ? part + 1 : part))

export const surroundings = {
  "a fence": around("```json\n", "\n```"),
  "a fence without a language": around("```\n", "\n```"),
  "a fence in capitals": around("```JSON\n", "\n```"),
  "a fence of tildes": around("~~~json\n", "\n~~~"),
  "a fence of four": around("````json\n", "\n````"),
  "a fence that is not closed": around("Sure!\n```json\n"),
  "a fence that is only closed": around("", "\n```"),
  "a fence on one line": around("```json ", " ```"),
  "a fence in a fence": around("```markdown\n```json\n", "\n```\n```"),
  "a fence in prose": around("Here it is:\n\n```json\n", "\n```\n\nFor {user}, see [1]."),
  "an indented fence": {
    layer: "around",
    apply: (text) => `1. Result:\n   \`\`\`json\n   ${text.replaceAll("\n", "\n   ")}\n   \`\`\``,
  },
  "an example in a fence first": around(
    'The form is:\n```json\n{"name": "..."}\n```\nSo the answer is\n```json\n',
    "\n```",
  ),
  "code in another fence": around(
    "```json\n",
    "\n```\nUse it like this:\n```js\nrun({ a: 1 })\n```",
  ),
  "prose before": around("Here is the plan you asked for: "),
  "prose after": around("", "\n\nLet me know if you want it changed!"),
  "prose with brackets before": around("Using {name} and [1, 2] from the (old) list, I'd say:\n\n"),
  "prose with brackets after": around("", "\nNote: {x} stands for [the rest]."),
  "prose on both sides": around("The answer is ", " as you asked, [1]."),
  "reasoning with a draft": {
    layer: "around",
    apply: (text, _random, value) => `<think>\nMaybe ${draft(value)}? No.\n</think>\n${text}`,
  },
  "reasoning with a fenced draft": {
    layer: "around",
    apply: (text, _random, value) =>
      `<reasoning>\n\`\`\`json\n${draft(value)}\n\`\`\`\n</reasoning>\n\n${text}`,
  },
  "reasoning that is only closed": {
    layer: "around",
    apply: (text, _random, value) => `Maybe ${draft(value)}? No.\n</think>\n\n${text}`,
  },
  "two reasonings": around("<think>first {a}</think>\n<think>then [b]</think>\n"),
  "reasoning, then a fence": around("<thinking>Hm {</thinking>\n```json\n", "\n```"),
  "other values before": around('Settings were {"mode": "fast"} then. '),
  "other values after": around("", '\nSettings: {"mode": "fast"}'),
  "given twice": { layer: "around", apply: (text) => `${text}\n${text}` },
  "given twice, with words between": {
    layer: "around",
    apply: (text) => `${text}\n\nAgain, in full:\n${text}`,
  },
  "a draft in prose first": {
    layer: "around",
    apply: (text, _random, value) => `First I had ${draft(value)} but better is\n${text}`,
  },
  "the word json": around("json\n"),
  "the word json and a colon": around("JSON: "),
  "a heading": around("### Answer\n\n"),
  "a label": around("Answer: "),
  "a bold label": around("**Answer:** "),
  "bold marks": around("**", "**"),
  "a list mark": around("- "),
  "a token that ends": around("", "<|im_end|>"),
  "tokens that begin and end": around("<|im_start|>assistant\n", "<|im_end|>\n<|endoftext|>"),
  "Llama's tokens": around("<|start_header_id|>assistant<|end_header_id|>\n\n", "<|eot_id|>"),
  "Mistral's tokens": around("[/INST] ", "</s>"),
  "a sentence token": around("<s> ", " </s>"),
  "a turn after": around("", "<|im_end|>\n<|im_start|>user\nThanks {you}!"),
  "a tag for tools": around("<tool_call>\n", "\n</tool_call>"),
  "a tag": around("<json>", "</json>"),
  "tags of a page": around("<pre><code>", "</code></pre>"),
  "a tag that is not closed": around("<answer>\n"),
  "an assignment": around("const result = ", ";"),
  "a call": around("submit(", ");"),
  "a byte order mark": around("\ufeff"),
  "a full stop": around("", "."),
  "quotes around": around("'", "'"),
} satisfies Faults
