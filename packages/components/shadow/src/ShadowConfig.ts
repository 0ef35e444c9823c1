/** The value of the key `shadow`: its types and its JSON Schema. */
import type { JsonObject, JsonSchema } from "@planloom/plugin/effect"

export type FailurePolicy = "block" | "flag"

/** By class or id of a reviewer; an id goes before its class. */
export type FailurePolicies = { readonly [reviewer: string]: FailurePolicy }

export interface ReviewerUse {
  readonly use: string
  readonly with?: JsonObject
  readonly model?: string
  readonly timeout?: string
}

export interface ShadowConfig {
  readonly gate?: ReadonlyArray<string | ReviewerUse>
  readonly async?: ReadonlyArray<string | ReviewerUse>
  readonly async_timeout?: string
  /** A percentage: `20%`. */
  readonly sample?: string
  /** A percentage of the passed replies. */
  readonly queue_sample?: string
  readonly model?: string
  readonly confidence?: number | { readonly [reviewer: string]: number }
  readonly timeout?: string
  readonly on_timeout?: FailurePolicies
  readonly on_error?: FailurePolicies
  readonly on_conflict?: FailurePolicy
  readonly budget?: { readonly tokens?: number; readonly cost_usd?: number }
  readonly breaker?: {
    readonly failures: number
    readonly within: string
    readonly probe_after: string
  }
}

export const classes = ["safety", "compliance", "quality", "tone", "context", "intent"] as const

const duration = (description: string): JsonSchema => ({
  type: "string",
  format: "duration",
  // Nothing can be done in no time; what is no duration at all is reported by its format.
  pattern: "[1-9]|^[^0]*$",
  description,
})

const share = (description: string): JsonSchema => ({
  type: "string",
  pattern: "^(100|[1-9]?[0-9])%$",
  description,
})

const policies = (description: string): JsonSchema => ({
  type: "object",
  description,
  additionalProperties: { enum: ["block", "flag"] },
})

const uses = (description: string): JsonSchema => ({
  type: "array",
  description,
  minItems: 1,
  items: {
    anyOf: [
      { type: "string", minLength: 1 },
      {
        type: "object",
        properties: {
          use: {
            type: "string",
            description: "Id of a subagent or validator of a declared plugin.",
          },
          with: { type: "object", description: "Its options, as data." },
          model: { type: "string", description: "The model that it asks, a name under `models:`." },
          timeout: duration("How long this reviewer may take."),
        },
        required: ["use"],
        additionalProperties: false,
      },
    ],
  },
})

export const shadowSchema: JsonSchema = {
  type: "object",
  properties: {
    gate: uses("Reviewers that a reply must pass before its user sees it."),
    async: uses("Reviewers of a reply that its user already has; they correct it."),
    async_timeout: duration(
      "How long reviews of `async` may take, and the run stays open; 30s unless written.",
    ),
    sample: share(
      "The share of runs in which `async` reviews, by a hash of their ids, such as `20%`.",
    ),
    queue_sample: share(
      "The share of passed replies that the review queue gets, too, by a hash of run and stage; `0%` unless written.",
    ),
    model: {
      type: "string",
      description:
        "The model that the subagents ask, a name under `models:`; that of the stage unless written.",
    },
    confidence: {
      description:
        "A finding below it counts as a flag: one number, or by class or id of a reviewer.",
      anyOf: [
        { type: "number", minimum: 0, maximum: 1 },
        { type: "object", additionalProperties: { type: "number", minimum: 0, maximum: 1 } },
      ],
    },
    timeout: duration("How long each review may take; a subagent's own limit unless written."),
    on_timeout: policies(
      "What a late review counts as, by class or id; `block` for safety and compliance, `flag` for the others unless written.",
    ),
    on_error: policies("What a failed review counts as; as a late one unless written."),
    on_conflict: {
      enum: ["block", "flag"],
      description:
        "What replacements count as that do not pass a second review; `block` unless written.",
    },
    budget: {
      type: "object",
      description: "What all reviewers of a run may use; then `on_error` decides.",
      properties: {
        tokens: { type: "integer", minimum: 1, description: "Tokens, in and out." },
        cost_usd: { type: "number", exclusiveMinimum: 0, description: "US dollars." },
      },
      minProperties: 1,
      additionalProperties: false,
    },
    breaker: {
      type: "object",
      description: "When a reviewer that keeps failing is asked no more; `on_error` decides then.",
      properties: {
        failures: { type: "integer", minimum: 1, description: "Failures that open it." },
        within: duration("The time in which they count."),
        probe_after: duration("How long it stays open before one review is tried."),
      },
      required: ["failures", "within", "probe_after"],
      additionalProperties: false,
    },
  },
  minProperties: 1,
  additionalProperties: false,
}
