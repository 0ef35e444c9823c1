/** What expressions on a finished run can read, typed by its workflow. */
import type { Environment, Field, ObjectType, Type } from "@planloom/expression/check"
import { failureClasses, loopStops } from "@planloom/plugin/effect"
import {
  any,
  bool,
  int,
  listOf,
  number,
  objectOf,
  string,
  union,
  typeOfSchema,
} from "@planloom/expression/check"
import { hint } from "@planloom/expression/suggestion"
import type { Block } from "@planloom/core/internal"
import type { Pipeline } from "@planloom/core"

const sure = (type: Type): Field => ({ type, optional: false })

/** Names to begin with, all of them there. */
export const environmentOf = (types: { readonly [root: string]: Type }): Environment => {
  const roots = Object.keys(types)
  return {
    roots: Object.fromEntries(roots.map((name) => [name, sure(types[name]!)])),
    unknownRoot: (name) => ({
      code: "PL1101",
      message: `there is nothing called "${name}" here`,
      help: hint(name, roots, "there are"),
    }),
  }
}

/** The roots of assertions. */
export const resultTypes = (pipeline: Pipeline): { readonly [root: string]: Type } => {
  const { definition } = pipeline
  return {
    outputs: {
      ...objectOf(
        Object.fromEntries(
          Object.entries(definition.outputs).map(([name, { schema }]) => [
            name,
            certain(typeOfSchema(schema)),
          ]),
        ),
      ),
      noun: { word: "output", code: "PL1201" },
    },
    stages: {
      kind: "object",
      fields: Object.fromEntries([
        ...stageTypes(pipeline.main).map(([id, type]) => [id, sure(type)] as const),
        ...stageTypes(pipeline.finally).map(([id, type]) => [id, sure(type)] as const),
      ]),
      rest: pipeline.workflows.size > 0 ? any : undefined,
      noun: { word: "stage", code: "PL2002" },
    },
    usage: objectOf({
      inputTokens: int,
      outputTokens: int,
      cachedTokens: int,
      cost: number,
      modelCalls: int,
      toolCalls: int,
      estimatedCalls: int,
    }),
    events: listOf(any),
    failure: any,
    status: { kind: "string", values: ["succeeded", "failed", "cancelled", "clarification"] },
    prompts: {
      kind: "object",
      fields: Object.fromEntries(
        [...askingIn(pipeline.main), ...askingIn(pipeline.finally)].map((id) => [id, sure(prompt)]),
      ),
      rest: pipeline.workflows.size > 0 ? prompt : undefined,
      noun: { word: "stage", code: "PL2002" },
    },
    calls: listOf(call),
    degraded: listOf(objectOf({ path: string, reason: string, after: string })),
    notes: listOf(objectOf({ path: string, text: string, tool: string, reviewer: string })),
  }
}

const request = {
  path: string,
  attempt: int,
  model: string,
  mode: string,
  text: string,
  sections: listOf(objectOf({ id: string, text: string, tokens: int, source: string })),
  messages: listOf(objectOf({ role: string, content: string })),
  tools: listOf(string),
}

/** Of a stage: its last request, and all of them. */
const prompt = objectOf({ ...request, attempts: listOf(objectOf(request)) })

const call = objectOf({
  stage: string,
  path: string,
  tool: string,
  key: string,
  params: any,
  ok: bool,
  summary: string,
  identity: string,
  from: { kind: "string", values: ["", "made"] },
  refused: bool,
  class: { kind: "string", values: ["", ...Object.keys(failureClasses)] },
  error: string,
  entities: listOf(objectOf({ type: string, id: string, name: string })),
  repairs: listOf(any),
  notes: listOf(string),
  ms: number,
})

/** Ids of the stages that may ask a model. */
const askingIn = (block: Block): ReadonlyArray<string> =>
  block.nodes.flatMap(({ id, work }) => (work.type === "block" ? askingIn(work.block) : [id]))

/** The output of a `repeat`. */
const loop = objectOf({
  carry: any,
  iterations: int,
  done: bool,
  stopped: { kind: "string", values: Object.keys(loopStops) },
  error: objectOf({ class: string, message: string }),
})

const stageTypes = (block: Block): ReadonlyArray<readonly [id: string, type: ObjectType]> =>
  block.nodes.flatMap(({ forEach, id, work }) => [
    [
      id,
      stageType(
        forEach !== undefined
          ? any
          : work.type === "kind"
            ? typeOfSchema(work.outputSchema)
            : work.repeat === undefined
              ? any
              : loop,
      ),
    ],
    ...(work.type === "block" ? stageTypes(work.block) : []),
  ])

const stageType = (output: Type): ObjectType =>
  objectOf({
    outcome: { kind: "string", values: ["success", "failure", "skipped", "cancelled"] },
    attempts: int,
    strategy: string,
    ms: number,
    error: any,
    output: certain(output),
  })

/**
 * A test may read what need not be there: when it is not, the assertion does not hold. So in these
 * types nothing is optional, and nothing may be null that could also be something.
 */
export const certain = (type: Type): Type => {
  switch (type.kind) {
    case "list":
      return listOf(certain(type.item))
    case "union":
      return union(type.members.filter(({ kind }) => kind !== "null").map(certain))
    case "object":
      return {
        ...type,
        rest: type.rest === undefined ? undefined : certain(type.rest),
        fields: Object.fromEntries(
          Object.entries(type.fields).map(([name, field]) => [
            name,
            { type: certain(field.type), optional: false },
          ]),
        ),
      }
    default:
      return type
  }
}
