/** JSON Schemas of a reflection: its `with`, its output, and the reply of its model. */
import type { JsonSchema, Tool } from "@planloom/plugin/effect"
import { eachSchema, modificationSchema, writtenPlanSchema } from "@planloom/planning"
import { plan, text, texts, writtenPlan } from "@planloom/stage-kit"
import { domainName, requirements } from "../domainOf.ts"
import { planCall } from "../planCalls.ts"
import { MAX_MESSAGE_CHARACTERS } from "./isPlainSentence.ts"
import { builtInRules, defaultRules, strategies } from "./Reflection.ts"

const said = { ...text, minLength: 1 } as const
const names = { pattern: "^[a-z][a-z0-9_]*$" } as const
const strategyNames = { ...names, not: { enum: Object.keys(strategies) } }

const step = {
  type: "object",
  additionalProperties: false,
  required: ["id", "tool"],
  properties: {
    id: said,
    tool: said,
    inputs: { type: "object", additionalProperties: text },
    params: { type: "object" },
    each: {
      anyOf: [
        eachSchema,
        {
          type: "object",
          additionalProperties: false,
          required: ["entities", "as"],
          properties: {
            entities: { ...said, description: "the type of the entities that calls found" },
            as: eachSchema.properties.as,
            limit: eachSchema.properties.limit,
          },
        },
      ],
      description: "a step for each item of a list, or a step for each entity that calls found",
    },
    needs: texts,
    satisfies: texts,
  },
} as const satisfies JsonSchema

const rule = {
  type: "object",
  additionalProperties: false,
  required: ["id", "when", "reason"],
  properties: {
    id: { ...said, ...names, description: "the name of the rule in the output" },
    when: {
      ...said,
      format: "cel",
      description:
        "something is missing when it holds; reads `request`, `requirements`, `plan`, `calls`, `results`, `called`, `entities`, `wishes` and `round`",
    },
    reason: { ...said, description: "what is missing" },
    // oxlint-disable-next-line unicorn/no-thenable -- the key of the contract
    then: {
      type: "array",
      items: step,
      description: "steps that find it, without a model; `$from` may name a tool of the plan",
    },
  },
} as const satisfies JsonSchema

const change = {
  type: "object",
  additionalProperties: false,
  minProperties: 1,
  properties: {
    set: { description: "the new value" },
    times: { type: "number", exclusiveMinimum: 0, description: "multiplies the value" },
    at_least: { type: "number", description: "raises the value" },
    at_most: { type: "number", description: "lowers the value" },
  },
} as const satisfies JsonSchema

const count = (initial: number, description: string) =>
  ({ type: "integer", minimum: 1, default: initial, description }) as const

const phrases = { type: "array", items: said, minItems: 1 } as const satisfies JsonSchema

/** A phrase, or groups of phrases. */
const phrase = {
  anyOf: [said, { type: "array", items: phrases, minItems: 2 }],
} as const satisfies JsonSchema

const byLanguage = (words: JsonSchema) =>
  ({ type: "object", minProperties: 1, additionalProperties: words }) as const

export const defaultLimits = { max_items: 20, max_characters: 200, max_tokens: 1000 } as const

export const reflectInput = {
  type: "object",
  additionalProperties: false,
  required: ["request", "plan", "results"],
  properties: {
    request: { ...said, description: "what the user asked for" },
    plan: { ...writtenPlan, description: "the plan that was executed" },
    results: {
      type: "object",
      required: ["steps", "calls"],
      properties: {
        steps: { type: "object" },
        calls: { type: "array", items: { ...planCall, required: ["step", "tool", "ok"] } },
      },
      description: "the output of `execute`",
    },
    requirements,
    domain: domainName,
    round: { type: "integer", minimum: 0, default: 0, description: "`iter.index` of the loop" },
    rounds: {
      type: "number",
      minimum: 1,
      default: 2,
      description: "the most rounds of the loop; after the last one no model is asked",
    },
    rules: {
      type: "array",
      items: { anyOf: [{ enum: [...builtInRules] }, rule] },
      default: [...defaultRules],
      description: "conditions under which something is missing",
    },
    wishes: {
      type: "object",
      propertyNames: names,
      default: {},
      additionalProperties: {
        type: "object",
        additionalProperties: false,
        required: ["words", "tools"],
        properties: {
          words: {
            ...byLanguage({ ...phrases, items: phrase }),
            description:
              "words of a request that ask for it, by language; or groups of them, of which a clause has one of each, in any order",
          },
          without: {
            ...byLanguage(phrases),
            description:
              'things, in the singular, that a request leaves out only if they are looked for, by language: `scam` for "no scams"',
          },
          tools: {
            type: "array",
            items: said,
            minItems: 1,
            description: "tools that find it, by name or by the start of their names",
          },
        },
      },
      description: "what a request may ask for in so many words",
    },
    strategies: {
      type: "object",
      propertyNames: strategyNames,
      default: {},
      additionalProperties: {
        type: "object",
        additionalProperties: false,
        required: ["description", "thinking"],
        properties: {
          description: { ...said, description: "when it is chosen" },
          thinking: {
            anyOf: [said, { type: "object", minProperties: 1, additionalProperties: said }],
            description: "what the user reads if the model's own sentence cannot be shown",
          },
        },
      },
      description: "strategies besides extend, relax, rewrite, pivot and none",
    },
    relax: {
      type: "object",
      default: {},
      additionalProperties: {
        type: "array",
        minItems: 1,
        items: { type: "object", additionalProperties: change },
      },
      description: "by tool: how params change the first time a search is relaxed, the second …",
    },
    queries: { ...said, description: "the tool whose params a model writes as `new_queries`" },
    limits: {
      type: "object",
      additionalProperties: false,
      default: { ...defaultLimits },
      properties: {
        max_items: count(defaultLimits.max_items, "calls"),
        max_characters: count(defaultLimits.max_characters, "characters of a call"),
        max_tokens: count(defaultLimits.max_tokens, "tokens of all calls, as they are estimated"),
      },
      description: "bounds of what is said of calls in the prompt and in `seen`",
    },
    language: { ...text, default: "", description: "tag of the language of standard texts" },
    technical_terms: {
      type: "array",
      items: said,
      default: [],
      description: "words that no sentence for the user has, besides the workflow's own names",
    },
    enabled: { type: "boolean", default: true, description: "false: no model is asked" },
    mechanical: {
      type: "boolean",
      default: true,
      description: "false: nothing is relaxed or added without a model",
    },
  },
} as const satisfies JsonSchema

const missing = {
  type: "array",
  items: {
    type: "object",
    required: ["rule", "reason"],
    properties: { rule: text, reason: text, step: text },
  },
} as const satisfies JsonSchema

export const reflectOutput = {
  type: "object",
  additionalProperties: false,
  required: [
    "done",
    "missing",
    "strategy",
    "reasoning",
    "message",
    "plan",
    "difference",
    "rejected",
    "seen",
  ],
  properties: {
    done: { type: "boolean", description: "nothing is missing, or the plan does not change" },
    missing,
    strategy: { ...text, description: "none without a change" },
    reasoning: { ...text, description: "for developers" },
    message: { ...text, description: "what the user has read; empty without a change" },
    plan: { ...plan, description: "the plan of the next round" },
    difference: { type: "array", items: modificationSchema, description: "of the two plans" },
    rejected: {
      type: "array",
      items: {
        type: "object",
        required: ["modification", "reason"],
        properties: { modification: modificationSchema, reason: text },
      },
    },
    seen: { ...text, description: "the calls so far, a line each; `none` without one" },
  },
} as const satisfies JsonSchema

/** Values that the condition of a rule reads besides the variables of its stage. */
export const ruleVariables: { readonly [variable: string]: JsonSchema } = {
  request: text,
  requirements: {},
  plan,
  calls: { type: "array", items: planCall },
  results: { type: "object", additionalProperties: true },
  called: texts,
  entities: {
    type: "array",
    items: {
      type: "object",
      required: ["type", "id", "name"],
      properties: { type: text, id: text, name: text },
    },
  },
  wishes: texts,
  round: { type: "integer" },
}

/** `declared`: names of the workflow's strategies. `queries`: the tool of `new_queries`. */
export const replySchema = (declared: ReadonlyArray<string>, queries: Tool | undefined) =>
  ({
    type: "object",
    additionalProperties: false,
    properties: {
      reasoning: { ...text, default: "" },
      strategy: { enum: [...Object.keys(strategies), ...declared], default: "relax" },
      user_message: { ...text, maxLength: MAX_MESSAGE_CHARACTERS, default: "" },
      ...(queries === undefined
        ? {
            modifications: { type: "array", items: modificationSchema },
            plan: writtenPlanSchema,
          }
        : { new_queries: { type: "array", items: { type: "object" } } }),
    },
  }) as const satisfies JsonSchema
