/** What models break in a document, and what they give in place of one. */
import type { Fields, Value } from "./plans.ts"
import { variantOf, type DocumentDice } from "./replyDocuments.ts"
import { fence, json, type Kind } from "./ReplyKind.ts"

/** The text changed; not a kind for a document whose text stays the same. */
const damaged =
  (damage: (text: string, dice: DocumentDice) => string, indent?: number): Kind =>
  (document, dice) => {
    const text =
      indent === undefined ? json(document, dice) : JSON.stringify(document, null, indent)
    const broken = damage(text, dice)
    return broken === text ? undefined : { text: broken, expected: document }
  }

/** One of the places that a pattern finds, replaced. */
const once = (text: string, pattern: RegExp, by: string, dice: DocumentDice): string => {
  const found = [...text.matchAll(pattern)]
  if (found.length === 0) return text
  const match = dice.one(found)
  return (
    text.slice(0, match.index) +
    match[0].replace(new RegExp(pattern.source, pattern.flags.replace("g", "")), by) +
    text.slice(match.index + match[0].length)
  )
}

const list =
  (make: (parts: ReadonlyArray<string>) => string): Kind =>
  (document, dice) => {
    const items = [document, variantOf(document, dice), variantOf(document, dice)].slice(
      0,
      2 + dice.below(2),
    )
    return {
      text: make(items.map((item) => JSON.stringify(item, null, dice.one([0, 2])))),
      expected: items,
    }
  }

const scalar =
  (wrap: (text: string) => string): Kind =>
  (_document, dice) => {
    const value = dice.one<Value>([dice.plain(), dice.below(99), true, false, "a, b", -2.5])
    return {
      text: wrap(JSON.stringify(value)),
      expected: value,
      schema: { type: typeof value },
    }
  }

/** The end is lost inside a text or after a comma. */
const cut =
  (wrap: (text: string) => string): Kind =>
  (document, dice) => {
    const text = json(document, dice)
    const places: Array<readonly [at: number, closing: string]> = []
    const open: Array<string> = []
    for (const token of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\],]/g)) {
      const [found, colon] = token
      const closing = open.toReversed().join("")
      if (found === "{" || found === "[") open.push(found === "{" ? "}" : "]")
      else if (found === "}" || found === "]") open.pop()
      else if (found === ",") places.push([token.index + 1, closing])
      else if (colon === undefined && found.length > 6 && !found.includes("\\"))
        places.push([token.index + 4, `"${closing}`])
    }
    const [at, closing] = dice.one(places)
    const start = text.slice(0, at)
    const expected = JSON.parse(start.replace(/,$/, "") + closing) as Value
    return { text: wrap(start), expected, schema: null }
  }

export const replyDamage: { readonly [name: string]: Kind } = {
  "a comma lost": damaged((text, dice) => once(text, /,(\s*")/g, "$1", dice)),
  "a comma lost between neighbours": damaged(
    (text, dice) => once(text, /(["\d\]}el]),(?=["{[])/g, "$1", dice),
    0,
  ),
  "a quote lost behind a value": damaged((text, dice) =>
    once(text, /(": "[^"\\\n]*)"(?=\s*[,}\n])/g, "$1", dice),
  ),
  "a quote lost before a value": damaged((text, dice) =>
    once(text, /(": ?)"(?=[\p{L}])/gu, "$1", dice),
  ),
  "a quote lost behind a name": damaged((text, dice) => once(text, /("\w+)"(?=:)/g, "$1", dice)),
  "a quote lost before a name": damaged((text, dice) => once(text, /"(?=\w+":)/g, "", dice)),
  "a quote lost in a list": damaged((text, dice) =>
    once(text, /("\w+)"(?=,\s*"\w+"\s*[\],])/g, "$1", dice),
  ),
  "a colon lost": damaged((text, dice) => once(text, /(": )/g, '" ', dice)),
  "a closer lost": damaged((text, dice) => once(text, /([}\]])(?=\s*,)/g, "", dice), 2),
  "a closer too many": damaged((text, dice) => once(text, /([}\]])(?=\s*,)/g, "$1$1", dice), 2),
  "the last closer lost": damaged((text) => text.replace(/\s*\}$/, "")),
  "a closer too many at the end": damaged((text) => `${text}}`),
  "numbers with separators": (document, dice) => {
    const number = 1_000 + dice.below(900_000)
    const expected: Fields = { count: number, ...document }
    const shown = dice.one([
      `${number}`.replace(/(?=(?:\d{3})$)/, "_"),
      `"${number.toLocaleString("en-US")}"`,
    ])
    return {
      text: JSON.stringify(expected, null, 2).replace(`"count": ${number}`, `"count": ${shown}`),
      expected,
    }
  },
  "numbers that are not finite": (document, dice) => {
    const expected: Fields = { ...document, rate: null }
    return {
      text: JSON.stringify(expected, null, 2).replace(
        '"rate": null',
        `"rate": ${dice.one(["NaN", "Infinity", "-Infinity"])}`,
      ),
      expected,
    }
  },
  "joined texts": (document, dice) => {
    const [first, second] = [dice.plain(), dice.plain()]
    const expected: Fields = { ...document, remark: first + second }
    return {
      text: JSON.stringify(expected, null, 2).replace(
        `"${first}${second}"`,
        `"${first}" +\n    "${second}"`,
      ),
      expected,
    }
  },
  "triple quotes": (document, dice) => {
    const remark = `${dice.plain()}\nsaid "${dice.plain()}"`
    const expected: Fields = { ...document, remark, last: 1 }
    return {
      text: JSON.stringify(expected, null, 2).replace(JSON.stringify(remark), `"""${remark}"""`),
      expected,
    }
  },
  "text of two lines without quotes": (document, dice) => {
    const [first, second] = [dice.plain(), dice.plain()]
    const expected: Fields = { remark: `${first}\n${second}`, estimate: 3, ...document }
    return {
      text: JSON.stringify(expected, null, 2).replace(
        JSON.stringify(`${first}\n${second}`),
        `${first}\n${second}`,
      ),
      expected,
    }
  },
  "one under a name": (document, dice) => ({
    text: json({ result: document }, dice),
    expected: document,
  }),
  "arguments as text": (document, dice) => ({
    text: json({ tool: "x", arguments: JSON.stringify(document) }, dice),
    expected: { tool: "x", arguments: document },
  }),
  "objects in a numbered list": list((parts) =>
    parts.map((part, at) => `${at + 1}. ${part}`).join("\n"),
  ),
  "objects in fences": list((parts) =>
    parts.map((part, at) => `Item ${at + 1}:\n${fence(part)}`).join("\n\n"),
  ),
  "objects in a sentence": list((parts) => `I found ${parts.join(" and ")}.`),
  "objects in tags": list((parts) =>
    parts.map((part) => `<tool_call>\n${part}\n</tool_call>`).join("\n"),
  ),
  "JSON Lines": list((parts) => parts.map((part) => JSON.stringify(JSON.parse(part))).join("\n")),
  "objects with commas between": list((parts) => parts.join(",\n")),
  "a scalar in a json fence after words": scalar((text) => `The answer:\n${fence(text)}`),
  "a scalar in a plain fence after words": scalar(
    (text) => `The answer is:\n\n${fence(text, "")}\n`,
  ),
  "a scalar in a fence between words": scalar((text) => `It is\n${fence(text)}\nas requested.`),
  "a scalar in tags": scalar((text) => `<answer>${text}</answer>`),
  "a cut end": cut((text) => text),
  "a cut end in a fence": cut((text) => `Here:\n\`\`\`json\n${text}`),
  "a cut end after reasoning": cut((text) => `<think>{"a": 1} may do</think>\n${text}`),
}
