/** PL2013: a row of an evaluation is not a valid case. */
import type { Rule } from "./Rule.ts"

export const badRow: Rule = {
  code: "PL2013",
  slug: "bad_row",
  severity: "error",
  title: "A row of an evaluation is not a valid case",
  why: "The evaluation would measure something else. No row runs, and no model is called, until every row is valid.",
  fix: "Fix the row, or map its columns to inputs with `inputs:`. A row is data: write assertions in the evaluation, where they read it as `row`.",
  wrong: '{ "inputs": { "qestion": "Which region sold most?" } }',
  right: '{ "inputs": { "question": "Which region sold most?" } }',
}
