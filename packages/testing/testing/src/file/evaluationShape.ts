/** The shape of an evaluation file. */
import type { JsonObject } from "@planloom/plugin/effect"
import type { Shape } from "@planloom/language/shape"
import {
  byType,
  jsonObject,
  list,
  map,
  record,
  header,
  defaulted,
  object,
  optional,
  required,
  expression,
  number,
  past,
  text,
} from "@planloom/language/shape"
import type {
  CaseGiven,
  Evaluation,
  EvaluationGiven,
  Expectation,
  WrittenCase,
} from "./Evaluation.ts"
import { variant, variantFields } from "./variantShape.ts"
import {
  answer,
  assertions,
  endStatus,
  exactlyOne,
  requirements,
  scriptedModels,
  tools,
} from "./workflowTestShape.ts"

const expectation: Shape<Expectation> = object(
  {
    status: optional(endStatus, "How the run ends; succeeded unless written."),
    assert: defaulted(
      assertions,
      [],
      "CEL over outputs, stages, prompts, calls, usage, events, failure, status, degraded, notes, row and inputs.",
    ),
    requirements,
  },
  {
    expected: "expect such as { assert: [ … ] }",
    aliases: { asserts: "assert", assertions: "assert" },
  },
)

/** Of every run, or of one case. */
const doubles = {
  models: defaulted(
    scriptedModels,
    {},
    "Scripted replies in order, by stage id, reviewer id or model alias; without one, the workflow's model is asked.",
  ),
  tools: defaulted(
    tools,
    {},
    "Stubs by tool name, or real; without, a tool that reads is called, and a call of one that may write fails.",
  ),
}

const doubleAliases = { tool: "tools", model: "models" }

const given: Shape<EvaluationGiven> = object(
  {
    ...doubles,
    sources: variantFields.sources,
    user: optional(
      jsonObject,
      "The user of every run, for a workflow that declares `user:`, with expressions over row.",
    ),
    session: optional(
      byType<JsonObject | string>(
        { string: text("an expression that gives a session"), mapping: jsonObject },
        "a session such as { turns: [ … ] }",
        {},
      ),
      "The conversation before every run, for a workflow with `session:`, with expressions over row.",
    ),
    answers: defaulted(
      list(answer),
      [],
      "What people answer, in order; whatever else a run asks stays open, approvals too.",
    ),
  },
  {
    expected: "given such as { tools: { … } }",
    aliases: {
      ...doubleAliases,
      answer: "answers",
      source: "sources",
      inputs: "the workflow's inputs stand beside given",
    },
  },
)

const caseGiven: Shape<CaseGiven> = object(doubles, {
  expected: "given such as { models: { … } }",
  aliases: doubleAliases,
})

const writtenCase: Shape<WrittenCase> = object(
  {
    name: optional(text("a few words"), "What it is called; its number unless written."),
    inputs: defaulted(jsonObject, {}, "The workflow's inputs."),
    session: optional(past, "The conversation before it, instead of that of given."),
    given: defaulted(
      caseGiven,
      { models: {}, tools: {} },
      "Replies and stubs of this case, instead of those of given that have their names.",
    ),
    row: defaulted(jsonObject, {}, "Whatever expressions read as row: a right answer, a label."),
    expect: optional(expectation, "What must hold of this case, beside what must hold of all."),
  },
  {
    expected: "a case such as { inputs: { … } }",
    aliases: { input: "inputs", vars: "row", assert: "expect", title: "name" },
  },
)

const one = expression("a number")

const score: Shape<string> = byType<string>(
  { string: one, boolean: one, number: map(number(), String) },
  one.expected,
  "0",
)

const conditions = list(expression("true or false"), { expected: "a list of conditions" })

export const evaluation: Shape<Evaluation> = map(
  object(
    {
      ...header("Evaluation"),
      workflow: required(text("a path"), "The workflow, relative to this file."),
      cases: optional(
        list(writtenCase, { atLeast: 1, expected: "a list of cases" }),
        "What it is run on.",
      ),
      data: optional(
        text("a path"),
        "A .jsonl, .csv, .yaml or .json file of rows, relative to this file.",
      ),
      inputs: optional(
        jsonObject,
        "The workflow's inputs, with expressions over row; without it a row's own inputs, or its columns of the inputs' names.",
      ),
      given: defaulted(
        given,
        { models: {}, tools: {}, answers: [], user: undefined, session: undefined },
        "Replies of models, tool stubs, lists of tool sources, answers, the user and the session.",
      ),
      expect: optional(expectation, "What must hold of every case."),
      score: defaulted(
        record(score),
        {},
        "Numbers by name, CEL over what assertions read; true counts as 1, false as 0.",
      ),
      misses: optional(
        expression("a list"),
        "CEL that gives a list: what a run should have found and has not, which the report lists.",
      ),
      repeat: defaulted(
        number({ integer: true, minimum: 1, maximum: 1000 }),
        1,
        "Runs of each case.",
      ),
      concurrency: defaulted(
        number({ integer: true, minimum: 1, maximum: 256 }),
        4,
        "Runs at the same time.",
      ),
      variants: defaulted(
        record(variant),
        {},
        "Ways to read the workflow, by name; the others are compared with the first.",
      ),
      gate: defaulted(
        byType(
          { string: map(expression("true or false"), (only) => [only]), list: conditions },
          conditions.expected,
          [],
        ),
        [],
        "CEL over the figures: what must hold for exit code 0.",
      ),
    },
    {
      expected: "an evaluation",
      aliases: {
        tests: "cases",
        rows: "data",
        dataset: "data",
        file: "workflow",
        uses: "workflow",
        scores: "score",
        metrics: "score",
        missed: "misses",
        gates: "gate",
        threshold: "gate",
        thresholds: "gate",
        runs: "repeat",
        max_parallel: "concurrency",
        variant: "variants",
        assert: "expect",
        vars: "inputs",
        providers: "variants",
      },
      check: exactlyOne(["cases", "data"], "an evaluation"),
    },
  ),
  ({ apiVersion: _, kind: __, ...rest }) => rest,
)
