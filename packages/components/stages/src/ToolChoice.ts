/** Tools that an author gives a model: by name, by group, or found by the workflow's index. */
import * as Effect from "effect/Effect"
import { isToolAmong, isToolPattern, StageFailed } from "@planloom/plugin/effect"
import type {
  Asks,
  Failure,
  Json,
  JsonSchema,
  Reference,
  StageContext,
  Tool,
  ToolOffer,
} from "@planloom/plugin/effect"
import { isObject } from "@planloom/schema"
import { toolDocument } from "@planloom/planning"
import { text, texts } from "@planloom/stage-kit"

type Loaded = { readonly load?: "full" | "lazy" }

/** The mode of the prompt decides on the form of a tool that is named alone. */
export type Offered = string | ToolOffer

export const nameOfOffer = (offer: Offered): string =>
  typeof offer === "string" ? offer : offer.tool

/** A tool by name, tools by the start of their names, the tools of a group, or what a search finds. */
export type ToolChoice =
  | string
  | ({ readonly name: string; readonly ends?: boolean } & Loaded)
  | ({ readonly group: string } & Loaded)
  | ({ readonly search: string; readonly limit?: number } & Loaded)

/** Tools that a search gives unless it has a limit. */
const MAX_FOUND = 8

const loading = {
  enum: ["full", "lazy"],
  description:
    "`lazy`: one line in the prompt; the model reads its parameters by `read_tool_documentation` and calls it by `call_tool`. Unless it is set, the mode of the prompt decides",
} as const satisfies JsonSchema

const choiceOf = <Named extends object, More extends object>(properties: Named, more: More) =>
  ({
    anyOf: [
      text,
      { type: "object", required: ["name"], additionalProperties: false, properties },
      {
        type: "object",
        required: ["group"],
        additionalProperties: false,
        properties: { group: text, ...more },
      },
      {
        type: "object",
        required: ["search"],
        additionalProperties: false,
        properties: {
          search: text,
          limit: { type: "integer", minimum: 1, maximum: 64, default: MAX_FOUND },
          ...more,
        },
      },
    ],
  }) as const

/** How the chosen tools may be called, in `with` of a kind. */
export const toolCalling = {
  parallel: {
    type: "integer",
    minimum: 1,
    maximum: 64,
    default: 8,
    description: "the most tool calls that run at the same time",
  },
  approve: {
    ...texts,
    default: [],
    description: "tools whose calls a person has to approve, besides those that write",
  },
  auto_approve: {
    ...texts,
    default: [],
    description: "tools that write and may be called without a person's approval",
  },
} as const satisfies { readonly [key: string]: JsonSchema }

const loadable = { load: loading }

/** One choice, in `with` of a kind. */
export const toolChoice = choiceOf({ name: text, ...loadable }, loadable)

/** One choice of a kind whose model reads of all tools alike. */
export const plainToolChoice = choiceOf({ name: text }, {})

/** One choice of a kind whose tools may end its stage. */
export const endingToolChoice = choiceOf(
  {
    name: text,
    ends: {
      type: "boolean",
      description: "a call of it is not run: it ends the stage and is its `handover`",
    },
    ...loadable,
  },
  loadable,
)

/**
 * In declared order, each tool once; what `search` finds comes in the order of the index. The start of names remains one
 * offer: each turn of a model has the tools that it means then.
 */
export const offersOf = (
  choices: ReadonlyArray<ToolChoice>,
  context: StageContext,
): Effect.Effect<ReadonlyArray<Offered>, Failure> =>
  Effect.map(
    Effect.forEach(choices, (choice) => chosen(choice, context)),
    (found) =>
      [
        ...new Map(
          found
            .flat()
            .toReversed()
            .map((offer) => [typeof offer === "string" ? offer : offer.tool, offer]),
        ).values(),
      ].toReversed(),
  )

/** The available tools that choices mean, in the order of the workflow. */
export const chosenTools = (
  choices: ReadonlyArray<ToolChoice>,
  context: StageContext,
): Effect.Effect<ReadonlyArray<Tool>, Failure> =>
  Effect.map(offersOf(choices, context), (offers) => {
    const names = offers.map(nameOfOffer)
    return context.tools.filter(({ name }) => isToolAmong(name, names))
  })

const chosen = (
  choice: ToolChoice,
  { index, tools }: StageContext,
): Effect.Effect<ReadonlyArray<Offered>, Failure> => {
  if (typeof choice === "string") return Effect.succeed([choice])
  const { load } = choice
  const offer = (tool: string): Offered =>
    load === undefined ? tool : { tool, form: load === "lazy" ? "index" : "schema" }
  if ("name" in choice) {
    const { ends, name } = choice
    // A model that hands over knows at once what to give.
    return Effect.succeed([ends === true ? { tool: name, form: "schema", ends } : offer(name)])
  }
  if ("group" in choice) {
    const inGroup = tools.filter(({ group }) => group === choice.group)
    return inGroup.length === 0
      ? Effect.fail(
          new StageFailed({
            class: "invalid_request",
            message: `no tool of the workflow is in the group "${choice.group}"`,
          }),
        )
      : Effect.succeed(inGroup.map(({ name }) => offer(name)))
  }
  return Effect.flatMap(index(tools.map(toolDocument)), (built) =>
    Effect.map(built.search(choice.search, { limit: choice.limit ?? MAX_FOUND }), (hits) =>
      hits.map(({ id }) => offer(id)),
    ),
  )
}

/** References of the tools that choices name; `at` starts at their list. */
export const namedTools = (tools: Json | undefined): ReadonlyArray<Reference> =>
  (Array.isArray(tools) ? (tools as ReadonlyArray<Json>) : []).flatMap((choice, index) => {
    if (typeof choice === "string") return [{ to: "tools", id: choice, at: [index] }]
    const { ends, name } = (choice ?? {}) as { readonly ends?: Json; readonly name?: Json }
    const to = ends === true ? "tool" : "tools"
    return typeof name === "string" ? [{ to, id: name, at: [index, "name"] }] : []
  })

/** The tools of a list under a key of `with`. */
export const listedTools = (key: string, ids: Json | undefined) =>
  (Array.isArray(ids) ? (ids as ReadonlyArray<Json>) : []).flatMap((id, index) =>
    typeof id === "string" ? [{ to: "tools", id, at: [key, index] }] : [],
  )

/** The names of the tools that may be called, for a dry run; nothing if some are chosen in the run. */
export const toolsAsked = (choices: Json | undefined): Pick<Asks, "tools"> => {
  const names: ReadonlyArray<Json | undefined> = Array.isArray(choices)
    ? choices.map((one: Json) => (isObject(one) ? one["name"] : one))
    : [undefined]
  return names.every((name) => typeof name === "string" && !isToolPattern(name))
    ? { tools: names as ReadonlyArray<string> }
    : {}
}
