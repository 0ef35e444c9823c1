/** The subagent `intent_validator`: whether what was done fits what the user asked for. */
import * as Effect from "effect/Effect"
import { subagent, type Draft, type Finding, type Json } from "@planloom/plugin/effect"
import { passed } from "@planloom/review-kit"
import { NOT_JUDGED, unjudged } from "../findings.ts"
import { askJudge, certaintySchema, confidenceOf } from "../judge.ts"
import { similarity } from "../similarity.ts"

interface Intent {
  readonly name: string
  readonly summary?: string
  readonly examples: ReadonlyArray<string>
  readonly tools?: ReadonlyArray<string>
  readonly agents?: ReadonlyArray<string>
}

interface Options {
  readonly intents: ReadonlyArray<Intent>
  readonly least?: number
}

interface Reading {
  /** Undefined: none of the declared. */
  readonly intent: Intent | undefined
  readonly confidence: number
}

/** No declared intent. */
const OTHER = "other"

/** Similarity with an example that a request with a declared intent has. */
const LEAST = 0.35

/** Lead of the best intent over the next, below which nothing is concluded. */
const LEAD = 0.08

const names = { type: "array", items: { type: "string", minLength: 1 } } as const

export const intentValidator = subagent<Options>({
  id: "intent_validator",
  summary: "Checks whether the tools that were called, and the agent in charge, fit the request.",
  class: "intent",
  can: ["pass", "flag"],
  at: "whole",
  scope: "turn",
  timeout: "10s",
  input: {
    type: "object",
    properties: {
      intents: {
        type: "array",
        minItems: 2,
        items: {
          type: "object",
          properties: {
            name: { type: "string", minLength: 1, description: "Name of the intent." },
            summary: { type: "string", minLength: 1, description: "What the user wants." },
            examples: {
              ...names,
              minItems: 1,
              description: "Requests with this intent, in any language.",
            },
            tools: {
              ...names,
              description: "Tools that serve only this intent, or intents that name them, too.",
            },
            agents: {
              ...names,
              description:
                "Agents in charge of this intent, compared with `agent` in the data of the stage.",
            },
          },
          required: ["name", "examples"],
          additionalProperties: false,
        },
        description: "What users ask for, and what serves it.",
      },
      least: {
        type: "number",
        minimum: 0,
        maximum: 1,
        description: `Without a model: the similarity with an example that a request must have; ${LEAST} unless written.`,
      },
    },
    required: ["intents"],
    additionalProperties: false,
  },
  check: ({ intents }, known) =>
    intents.flatMap(({ name, tools = [] }, index) =>
      tools.flatMap((id, place) => {
        const at = ["intents", index, "tools", place]
        const message = `the intent "${name}" names the tool "${id}", which the workflow does not have`
        return known.has({ to: "tool", id, at }) ? [] : [{ code: "INTENT001", message, at }]
      }),
    ),
  rules: ({ intents }) => [...intents.map(({ name }) => name), OTHER, NOT_JUDGED],
  asks: () => [{ way: "json" }],
  review: (draft, { model, with: options }) => {
    const done = doneIn(draft, options.intents)
    if (done.length === 0)
      return Effect.succeed(passed("no tool or agent of a declared intent is in use"))
    return Effect.map(
      askJudge<{ readonly intent: string; readonly certainty: number }>(model, {
        name: "intent",
        task: "Which of `intents` does the last request have? `other` if none.",
        about: {
          intents: options.intents as unknown as Json,
          earlier_requests: draft.turns.slice(-3).map(({ user }) => user),
          last_request: draft.request,
        },
        schema: {
          type: "object",
          properties: {
            intent: { enum: [...options.intents.map(({ name }) => name), OTHER] },
            certainty: certaintySchema,
          },
          required: ["intent", "certainty"],
          additionalProperties: false,
        },
      }),
      (answer) => {
        const reading =
          answer === undefined
            ? nearest(draft.request, options)
            : {
                intent: options.intents.find(({ name }) => name === answer.intent),
                confidence: confidenceOf(answer),
              }
        return reading === undefined
          ? unjudged("what was done fits the request")
          : compared(reading, done)
      },
    )
  },
})

interface Done {
  readonly what: string
  readonly intents: ReadonlyArray<string>
}

/** Tools and the agent in use that some intent names. */
const doneIn = ({ calls, data }: Draft, intents: ReadonlyArray<Intent>): ReadonlyArray<Done> => {
  const agent =
    typeof data === "object" && data !== null && !Array.isArray(data)
      ? (data as { readonly [key: string]: Json })["agent"]
      : undefined
  const used = [
    ...new Set(calls.map(({ tool }) => tool)).values().map((tool) => ({
      what: `the tool ${tool}`,
      intents: intents.filter(({ tools }) => tools?.includes(tool) === true),
    })),
    ...(typeof agent === "string"
      ? [
          {
            what: `the agent ${agent}`,
            intents: intents.filter(({ agents }) => agents?.includes(agent) === true),
          },
        ]
      : []),
  ]
  return used
    .filter((one) => one.intents.length > 0)
    .map(({ intents: own, what }) => ({ what, intents: own.map(({ name }) => name) }))
}

/** Undefined where two intents are equally near: nothing can be concluded. */
const nearest = (request: string, { intents, least = LEAST }: Options): Reading | undefined => {
  const scored = intents
    .map((intent) => ({
      intent,
      score: Math.max(...intent.examples.map((example) => similarity(request, example))),
    }))
    .toSorted((a, b) => b.score - a.score)
  const [first, second] = scored
  if (first!.score < least) return undefined
  return first!.score - second!.score < LEAD
    ? undefined
    : { intent: first!.intent, confidence: first!.score }
}

const compared = ({ confidence, intent }: Reading, done: ReadonlyArray<Done>): Finding => {
  const name = intent?.name ?? "none of the declared"
  const issues = done
    .filter(({ intents }) => intent === undefined || !intents.includes(intent.name))
    .map(({ intents, what }) => `${what} serves ${intents.join(", ")}`)
  return issues.length === 0
    ? { ...passed(`what was done fits the intent: ${name}`), confidence }
    : {
        verdict: "flag",
        confidence,
        reason: `the intent is ${name}, but ${issues.join("; ")}`,
        issues,
        // The intent that the request has instead.
        rules: [intent?.name ?? OTHER],
      }
}
