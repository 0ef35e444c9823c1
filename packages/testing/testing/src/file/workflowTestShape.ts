/** The shape of a workflow's test file. */
import { failureClasses } from "@planloom/plugin/effect"
import type { FailureClass, Usage } from "@planloom/plugin/effect"
import type { Shape } from "@planloom/language/shape"
import {
  boolean,
  byType,
  jsonObject,
  list,
  map,
  record,
  defaulted,
  object,
  optional,
  required,
  duration,
  expression,
  json,
  number,
  oneOf,
  past,
  text,
  header,
} from "@planloom/language/shape"
import type {
  ScriptedAnswer,
  ScriptedFailure,
  ScriptedReply,
  ScriptedToolCall,
  TestCase,
  TestExpect,
  TestGiven,
  ToolStub,
  WorkflowTest,
} from "./WorkflowTest.ts"
import { variantAliases, variantFields } from "./variantShape.ts"

const anyText: Shape<string> = {
  kind: "text",
  expected: "text",
  // A model may well answer nothing.
  decode: (value, context) => (value === "" ? "" : text().decode(value, context)),
  schema: () => ({ type: "string" }),
}

const failureClass: Shape<FailureClass> = oneOf(
  ...(Object.keys(failureClasses) as ReadonlyArray<FailureClass>),
)

const failure: Shape<ScriptedFailure> = byType<ScriptedFailure>(
  {
    string: map(failureClass, (only) => ({ class: only })),
    mapping: object(
      {
        class: required(failureClass, "The failure's class, as retry policies name it."),
        message: optional(text(), "What it says."),
        detail: optional(json, "Data for the next attempt."),
        retry_after: optional(duration, "How long the service asks to be left alone."),
      },
      { expected: "a failure such as { class: rate_limit }", aliases: { type: "class" } },
    ),
  },
  "a failure class, or { class, message }",
  { class: "internal" },
)

const tokens = number({ integer: true, minimum: 0 })

const usage: Shape<Usage> = map(
  object(
    {
      input: defaulted(tokens, 0, "Tokens read."),
      output: defaulted(tokens, 0, "Tokens written."),
      cached: optional(tokens, "Tokens read from the provider's cache."),
    },
    { expected: "usage such as { input: 100, output: 20 }" },
  ),
  ({ cached, input, output }) => ({ input, output, ...(cached === undefined ? {} : { cached }) }),
)

const toolCall: Shape<ScriptedToolCall> = object(
  {
    name: required(text("the name of a tool"), "The tool."),
    arguments: defaulted(jsonObject, {}, "Its arguments."),
  },
  { expected: "a tool call such as { name: top, arguments: {} }", aliases: { args: "arguments" } },
)

const answers = ["text", "json", "chunks", "tool_calls", "fail"]

/** Exactly one of some keys. */
export const exactlyOne =
  (keys: ReadonlyArray<string>, what: string) =>
  (
    raw: { readonly [key: string]: unknown },
    context: Parameters<Shape<unknown>["decode"]>[1],
  ): void => {
    const written = keys.filter((key) => Object.hasOwn(raw, key))
    if (written.length === 1) return
    context.problem(
      written.length === 0
        ? {
            code: "PL0102",
            message: `${what} needs one of: ${keys.join(", ")}`,
            help: `write exactly one of: ${keys.join(", ")}`,
          }
        : {
            code: "PL0110",
            message: `${what} has ${written.join(" and ")}`,
            help: `write exactly one of: ${keys.join(", ")}`,
          },
    )
  }

const reply: Shape<ScriptedReply> = byType<ScriptedReply>(
  {
    string: map(anyText, (only) => ({ text: only })),
    mapping: object(
      {
        text: optional(anyText, "The reply, as text."),
        json: optional(json, "The reply, as JSON."),
        chunks: optional(list(anyText), "The reply, in the pieces a stream gives."),
        tool_calls: optional(list(toolCall, { atLeast: 1 }), "Tools the model wants called."),
        fail: optional(failure, "The call fails."),
        reasoning: optional(anyText, "What the model thinks before it answers."),
        cut: optional(boolean, "true: the reply ends at its maximum length."),
        delay: optional(duration, "How long it takes."),
        when: optional(text(), "Only for a request that contains this text."),
        usage: optional(usage, "Tokens the call is booked with."),
      },
      {
        expected: "a reply such as { json: { … } }",
        aliases: { failure: "fail", error: "fail", tools: "tool_calls", stream: "chunks" },
        check: exactlyOne(answers, "a reply"),
      },
    ),
  },
  "a reply such as { json: { … } }",
  { text: "" },
)

const stub: Shape<ToolStub | "real"> = byType<ToolStub | "real">(
  {
    string: oneOf("real"),
    mapping: object(
      {
        result: optional(json, "What every call gives."),
        results: optional(list(json, { atLeast: 1 }), "What the calls give, in order."),
        fail: optional(failure, "Every call fails."),
        delay: optional(duration, "How long each call takes."),
      },
      {
        expected: "a stub such as { result: … }",
        aliases: { returns: "result", output: "result", failure: "fail", error: "fail" },
        check: exactlyOne(["result", "results", "fail"], "a stub"),
      },
    ),
  },
  "a stub such as { result: … }, or real",
  {},
)

export const scriptedModels: Shape<TestGiven["models"]> = record(list(reply), {
  expected: "a mapping of stage, reviewer or model alias to replies",
})

export const tools: Shape<TestGiven["tools"]> = record(stub, {
  names: "free",
  expected: "a mapping of tool to stub",
})

export const answer: Shape<ScriptedAnswer> = object(
  {
    stage: optional(text("a stage id"), "The stage that asks."),
    name: optional(
      text("the name of a question"),
      "The question's own name, where a stage asks more than one: sign_off, read/clarification:1.",
    ),
    value: required(json, "What is answered."),
  },
  {
    expected: "an answer such as { stage: sign_off, value: { approved: true } }",
    check: exactlyOne(["stage", "name"], "an answer"),
  },
)

const given: Shape<TestGiven> = object(
  {
    inputs: defaulted(jsonObject, {}, "The workflow's inputs."),
    user: optional(jsonObject, "The user of the run, for a workflow that declares `user:`."),
    session: optional(
      past,
      "The conversation before the run, for a workflow with `session:`; {} is the first turn of one.",
    ),
    models: defaulted(
      scriptedModels,
      {},
      "Scripted replies in order, by stage id, reviewer id or model alias; without any there is no model.",
    ),
    tools: defaulted(
      tools,
      {},
      "Stubs by tool name, or real; without, a tool that reads is called, and a call of one that may write fails.",
    ),
    ...variantFields,
    answers: optional(
      list(answer, { atLeast: 1 }),
      "What people answer, in order; without one for it an approval is given, and any other question stays open.",
    ),
    cassette: optional(
      text("a folder"),
      "A recording that answers instead of models and tools, relative to this file; planloom test --record writes it.",
    ),
  },
  {
    expected: "given such as { inputs: { … } }",
    check: (raw, context) => {
      if (raw["cassette"] === undefined || raw["models"] === undefined) return
      context.problem({
        code: "PL0110",
        message: "given has models and cassette",
        help: "write one of them: scripted replies, or a recording",
      })
    },
    aliases: {
      ...variantAliases,
      input: "inputs",
      model: "models",
      tool: "tools",
      answer: "answers",
    },
  },
)

export const endStatus = oneOf("succeeded", "failed", "cancelled", "clarification")

export const assertions = list(expression("true or false"))

/** Requirements as `cover` names them. */
export const requirements = defaulted(
  list(text("a requirement such as metrics:revenue")),
  [],
  "Requirements, written by hand, that a step of the plan must cover.",
)

const expectation: Shape<TestExpect> = object(
  {
    status: defaulted(endStatus, "succeeded", "How the run ends."),
    assert: defaulted(
      assertions,
      [],
      "CEL over outputs, stages, prompts, calls, usage, events, failure, status, degraded and notes.",
    ),
    requirements,
    diagnostics: optional(
      list(text("a code such as PL1201"), { atLeast: 1 }),
      "Codes the workflow must be refused with; then nothing runs.",
    ),
    snapshot: optional(text("a name"), "Name of a golden of the outputs."),
  },
  {
    expected: "expect such as { assert: [ … ] }",
    aliases: { asserts: "assert", assertions: "assert" },
  },
)

const noGiven: TestGiven = { inputs: {}, models: {}, tools: {} }
const success: TestExpect = {
  status: "succeeded",
  assert: [],
  requirements: [],
  diagnostics: undefined,
  snapshot: undefined,
}

const testCase: Shape<TestCase> = object(
  {
    name: required(text("a sentence of behaviour"), "What it shows."),
    given: defaulted(given, noGiven, "Inputs, scripted replies and tool stubs."),
    expect: defaulted(
      expectation,
      success,
      "What must hold afterwards; unless written: it succeeds.",
    ),
  },
  {
    expected: "a test such as { name: …, given: { … }, expect: { … } }",
    // oxlint-disable-next-line unicorn/no-thenable -- a word people write in tests, not a promise
    aliases: { when: "given", then: "expect", it: "name", title: "name" },
  },
)

export const workflowTest: Shape<WorkflowTest> = map(
  object(
    {
      ...header("WorkflowTest"),
      workflow: required(text("a path"), "The workflow, relative to this file."),
      tests: required(list(testCase, { atLeast: 1, expected: "a list of tests" }), "In order."),
    },
    {
      expected: "a workflow test",
      aliases: { cases: "tests", file: "workflow", uses: "workflow" },
    },
  ),
  ({ tests, workflow }) => ({ workflow, tests }),
)
