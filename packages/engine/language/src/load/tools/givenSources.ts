/** Tool sources of a test: each lists what the test gives, and nothing of the source itself runs. */
import * as Effect from "effect/Effect"
import {
  failureClasses,
  ToolFailed,
  type FailureClass,
  type GivenTools,
  type Json,
  type JsonSchema,
  type Tool,
  type ToolList,
  type ToolSource,
} from "@planloom/plugin/effect"
import { formatIssues } from "@planloom/schema"
import { validatorOf } from "@planloom/schema/ajv"
import type { KnownComponents } from "../../definition/Resources.ts"
import { ownMember } from "../../definition/ownMember.ts"

/** By the id of the source: the value under `given.sources`. */
export type GivenSources = { readonly [source: string]: Json }

/** The components with the given sources in place of their own. */
export const withGivenSources = (
  components: KnownComponents,
  given: GivenSources | undefined,
): KnownComponents =>
  given === undefined
    ? components
    : {
        ...components,
        tools: new Map(
          [...components.tools].map(([id, source]) => {
            const value = ownMember(given, id)
            return [id, value === undefined ? source : givenSource(source, value)]
          }),
        ),
      }

/** One sentence for each value that its source cannot read, and for each source that does not exist. */
export const givenProblems = (
  { tools }: Pick<KnownComponents, "tools">,
  given: GivenSources = {},
): ReadonlyArray<{ readonly source: string; readonly message: string }> =>
  Object.entries(given).flatMap(([id, value]) => {
    const source = tools.get(id)
    if (source === undefined) {
      return [{ source: id, message: `there is no tool source "${id}"` }]
    }
    const issues = validatorOf((source.given ?? plain).schema)(value)
    return issues.length === 0
      ? []
      : [{ source: id, message: `this is no list of "${id}": ${formatIssues(issues, "it")}` }]
  })

const givenSource = (source: ToolSource, value: Json): ToolSource => {
  const { catalogTools, given = plain, id, summary } = source
  const list = Effect.suspend(() => given.list(value))
  return {
    id,
    summary,
    list,
    known: list,
    given,
    ...(catalogTools && { catalogTools }),
    call: ({ tool }) =>
      Effect.fail(
        new ToolFailed({
          tool,
          class: "internal",
          message: `the test gives the list of "${id}" and no result of "${tool}": write one under \`given.tools\``,
        }),
      ),
    endsAtOnce: true,
  }
}

const text: JsonSchema = { type: "string" }

/** Of a source that has no form of its own: a list as sources give it. */
const plain: GivenTools = {
  schema: {
    type: "object",
    additionalProperties: false,
    properties: {
      tools: {
        type: "array",
        items: { type: "object", required: ["name"], properties: { name: text } },
      },
      partial: text,
      open: { type: "array", items: text },
      fail: {
        type: "object",
        additionalProperties: false,
        properties: { class: { enum: Object.keys(failureClasses) }, message: text },
      },
    },
  },
  list: (value) => {
    const {
      fail,
      tools = [],
      ...list
    } = value as Partial<Omit<ToolList, "tools">> & {
      readonly tools?: ReadonlyArray<Partial<Tool> & Pick<Tool, "name">>
      readonly fail?: { readonly class?: FailureClass; readonly message?: string }
    }
    if (fail === undefined) return Effect.succeed({ ...list, tools: tools.map(described) })
    const { class: reason = "unavailable", message = failureClasses[reason] } = fail
    return Effect.fail(new ToolFailed({ tool: "", class: reason, message }))
  },
}

const described = (given: Partial<Tool> & Pick<Tool, "name">): Tool => ({
  summary: "a tool of the test",
  capabilities: [],
  inputs: {},
  params: { type: "object" },
  outputs: [],
  ...given,
})
