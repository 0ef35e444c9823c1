/** The shape of a catalog: descriptions of tools. */
import type { JsonSchema, Requirement, Tool } from "@planloom/plugin/effect"
import { formatDuration } from "@planloom/plugin/duration"
import type { Shape } from "../Shape.ts"
import { jsonObject, list, map, record } from "./collections.ts"
import { jsonSchema } from "./jsonSchema.ts"
import { defaulted, object, optional, required } from "./object.ts"
import { wording } from "./texts.ts"
import { boolean, duration, expression, name, oneOf, text } from "./scalars.ts"
import { header } from "./header.ts"

export interface Catalog {
  readonly name: string | undefined
  readonly description: string | undefined
  readonly tools: ReadonlyArray<Tool>
}

const words = list(text(), { expected: "a list of words" })
const noParams: JsonSchema = { type: "object", properties: {}, additionalProperties: false }

const requirement: Shape<Requirement> = object(
  {
    that: required(
      expression("true or false"),
      "CEL over params, calls and session: whether the call may be made.",
    ),
    message: required(
      wording,
      "Why it may not, for all or by language: the model and the user read it.",
    ),
  },
  {
    expected: "a condition such as { that: params.amount < 100, message: At most 100. }",
    aliases: { assert: "that", if: "that", when: "that", condition: "that", text: "message" },
  },
)

const tool: Shape<Tool> = map(
  object(
    {
      name: required(text("the name of a tool"), "The tool's name, as its source calls it."),
      title: optional(wording, "Its name for end users, for all or by language."),
      labels: optional(
        record(wording, { names: "free" }),
        "By param: its name for end users, for all or by language.",
      ),
      summary: required(text("one line"), "One line: what it does. A planner reads this."),
      capabilities: defaulted(words, [], "What it can do: aggregate, plot, time_series."),
      inputs: defaulted(
        record(text("a data type"), { names: "free" }),
        {},
        "Data it takes from earlier steps: slot to data type.",
      ),
      params: defaulted(jsonSchema, noParams, "JSON Schema of the arguments a planner writes."),
      result: optional(jsonSchema, "JSON Schema of its result, unless its source gives one."),
      outputs: defaulted(words, [], "Data types it gives, the main one first."),
      group: optional(text(), "Tools of one group belong together."),
      when_to_use: optional(text(), "When it is the right tool, and when not."),
      examples: optional(words, "Utterances that should find this tool."),
      keywords: optional(words, "Extra words to find it by."),
      words: optional(
        record(record(words, { names: "free" }), { names: "free" }),
        "By param and value: the phrases that mean the value; its own name unless given.",
      ),
      effect: optional(
        oneOf("none", "read", "write"),
        "What a call does outside the run; `write` unless given.",
      ),
      idempotent: optional(boolean, "A repeated call with the same key has the effect of one."),
      reuse: optional(
        oneOf("run", "never"),
        "Which calls answer an equal one: those of the whole run, or none; without it, those of earlier attempts of its stage, and in `execute` those of the run.",
      ),
      summarize: optional(
        expression("text"),
        "CEL over params and result: one line on a result, for events and models.",
      ),
      notes: optional(
        expression("a list of texts"),
        "CEL over params and result: what a reader of the result must know; shown beside the outputs.",
      ),
      normalize: optional(
        record(expression("the param's value"), { names: "free" }),
        "CEL over params, by param: what a given param is replaced by before the call is checked.",
      ),
      defaults: optional(
        record(expression("the param's value"), { names: "free" }),
        "CEL over params, the workflow's inputs, session and user, by param: what fills a param that is left out, after `normalize`.",
      ),
      entities: optional(
        record(expression("ids, or objects with id and name"), { names: "free" }),
        "CEL over params and result, by type: the things that a result is about, for sessions.",
      ),
      needs_approval: optional(boolean, "A person has to approve each call."),
      approval: optional(
        record(wording, { names: "free" }),
        "By field of an approval: its name for end users; shown in this order, other fields after them.",
      ),
      requires: optional(
        list(requirement, { expected: "a list of conditions" }),
        "What must hold for each call, before a person is asked and when it is made.",
      ),
      timeout: optional(duration, "How long one call may take."),
      docs: optional(text("a path"), "Path of its TOOL.md."),
      source: optional(
        text("the id of a tool source"),
        "Id of the tool source that runs it, such as http; for a tool that no source lists.",
      ),
      with: optional(jsonObject, "What the source runs it with, such as the request of an API."),
    },
    {
      expected: "a tool such as { name: aggregate, summary: … }",
      aliases: {
        id: "name",
        description: "summary",
        parameters: "params",
        input_schema: "params",
        args: "params",
        output: "outputs",
        output_schema: "result",
        returns: "result",
        tags: "keywords",
        category: "group",
        utterances: "examples",
        preconditions: "requires",
      },
    },
  ),
  ({ timeout, ...rest }): Tool =>
    withoutAbsent({
      ...rest,
      timeout: timeout === undefined ? undefined : formatDuration(timeout),
    }) as Tool,
)

/** The contract leaves absent keys out instead of writing undefined. */
const withoutAbsent = (given: object): object =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))

export const catalog: Shape<Catalog> = map(
  object(
    {
      ...header("Catalog"),
      name: optional(name, "The catalog's name."),
      description: optional(text(), "For people."),
      groups: defaulted(
        record(text("one line"), { names: "free" }),
        {},
        "What the tools of a group are for, by group.",
      ),
      synonyms: defaulted(
        list(words, { expected: "a list of groups of words" }),
        [],
        "Groups of words and phrases that mean the same when tools are searched: [[invoice, bill]].",
      ),
      tools: required(list(tool, { expected: "a list of tools" }), "The tools, one after another."),
    },
    { expected: "a catalog" },
  ),
  ({ description, groups, name: named, synonyms, tools }): Catalog => ({
    name: named,
    description,
    tools: tools.map((one): Tool => {
      const group = one.group === undefined ? undefined : groups[one.group]
      return {
        ...one,
        ...(group === undefined ? {} : { group_summary: group }),
        ...(synonyms.length === 0 ? {} : { synonyms }),
      }
    }),
  }),
)
