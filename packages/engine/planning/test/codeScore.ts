/** Sentences in English and Spanish with one code each, written by someone who had not seen the rules, and how many of the codes are read. */
import { readFileSync } from "node:fs"
import type { Tool } from "@planloom/plugin/effect"
import { callWords, grammarOf, readCall, type Grammar } from "../src/reading/index.ts"

interface Row {
  readonly text: string
  readonly code: string
  readonly type: string
  readonly param_description: string
  readonly pattern: string
}

export interface Score {
  readonly rows: number
  /** One word, and the value of the param that it is of. */
  readonly read: number
  /** Codes of which a part or the whole has another use. */
  readonly other: number
  /** Sentences whose numbers are read as without the code. */
  readonly kept: number
}

/** Params for other kinds of codes, which the tool of a row has besides, unless its code fits. */
const others: { readonly [type: string]: string } = {
  evm_address: "^0x[0-9a-fA-F]{40}$",
  tx_hash: "^0x[0-9a-fA-F]{64}$",
  uuid: "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$",
  isin: "^[A-Z]{2}[A-Z0-9]{9}[0-9]$",
  vin: "^[A-HJ-NPR-Z0-9]{17}$",
  isbn: "^97[89][0-9]{10}$",
  mac: "^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$",
  order_number: "^[A-Z]{2}-[0-9]{5}/[0-9]$",
  seat: "^[0-9]{1,2}[A-K]$",
}

const today = "2026-11-21"

const toolOf = (properties: object): Tool => ({
  name: "look_up",
  summary: "Looks it up.",
  effect: "read",
  capabilities: [],
  inputs: {},
  outputs: [],
  params: {
    type: "object",
    properties: {
      ...properties,
      amount: { type: "number" },
      day: { type: "string", format: "date" },
    },
  },
})

const read = (tool: Tool, text: string, grammar: Grammar) =>
  readCall(callWords(tool, grammar), { text, grammar, today })

/** The number of the sentence without its code. */
const numberWithout = ({ code, text }: Row, grammar: Grammar) =>
  read(toolOf({}), text.replace(code, "it"), grammar).params["amount"]

const scoreOf = (row: Row, grammar: Grammar): Omit<Score, "rows"> => {
  const { code, param_description: description, pattern, text, type } = row
  const besides = Object.entries(others).flatMap(([name, one]) =>
    name === type || new RegExp(one).test(code) ? [] : [[name, { type: "string", pattern: one }]],
  )
  const tool = toolOf({
    ...Object.fromEntries(besides),
    [type]: { type: "string", pattern, description },
  })
  const { params, reading } = read(tool, text, grammar)
  const start = text.indexOf(code)
  const isOf = (place: { readonly start: number; readonly end: number }) =>
    place.start < start + code.length && start < place.end
  const words = reading.words.filter(isOf)
  const uses = reading.claims.filter(isOf)
  return {
    read: Number(words.length === 1 && words[0]?.text === code && params[type] === code),
    other: Number(uses.some(({ used }) => used !== `look_up.${type}`)),
    kept: Number(params["amount"] === numberWithout(row, grammar)),
  }
}

/** As of one half of the sentences, English and Spanish, by one grammar. The rules were written with `seen` in view, and without `unseen`. */
export const codeScore = (half: string, language: string): Score => {
  const lines = readFileSync(new URL(`data/codes.${half}.jsonl`, import.meta.url), "utf8")
  const scores = lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => scoreOf(JSON.parse(line) as Row, grammarOf(language)))
  const sum = (key: keyof Omit<Score, "rows">) =>
    scores.reduce((total, score) => total + score[key], 0)
  return { rows: scores.length, read: sum("read"), other: sum("other"), kept: sum("kept") }
}
