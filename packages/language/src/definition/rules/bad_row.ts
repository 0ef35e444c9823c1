/** PL2013: a row of an evaluation is no case. */
import type { Rule } from "./Rule.ts"

export const badRow: Rule = {
  code: "PL2013",
  slug: "bad_row",
  severity: "error",
  title: "A row of an evaluation is no case",
  why: "What is measured would not be what was asked for; so nothing is run, and nothing is paid, until every row can be.",
  mend: "Mend the row, or say with `inputs:` which columns are which inputs. A row is data: assertions are written in the evaluation, and read it as `row`.",
  wrong: '{ "inputs": { "qestion": "Which region sold most?" } }',
  right: '{ "inputs": { "question": "Which region sold most?" } }',
}
