/** Shapes of what a workflow declares about time, tries, rates and cost. */
import { failureClasses, transientFailures } from "@planloom/plugin/effect"
import type { FailureClass } from "@planloom/plugin/effect"
import type {
  BreakerPolicy,
  Budget,
  Concurrency,
  Policies,
  RatePolicy,
  RetryPolicy,
  RetryReference,
} from "../Definition.ts"
import type { Shape } from "../Shape.ts"
import { byType, list, map, record } from "./collections.ts"
import { defaulted, object, optional, required } from "./object.ts"
import { boolean, duration, number, oneOf, pause, text } from "./scalars.ts"

const failureClass: Shape<FailureClass> = oneOf(
  ...(Object.keys(failureClasses) as ReadonlyArray<FailureClass>),
)

const retryPolicy: Shape<RetryPolicy> = object(
  {
    max_retries: required(
      number({ integer: true, minimum: 0, maximum: 100 }),
      "Tries after the first.",
    ),
    delay: defaulted(pause, 500, "Before the first retry; 500ms unless written."),
    backoff: defaulted(
      oneOf("constant", "linear", "exponential"),
      "exponential",
      "How the delay grows from one retry to the next.",
    ),
    max_delay: defaulted(duration, 30_000, "The longest delay; 30s unless written."),
    jitter: defaulted(boolean, true, "Spreads each delay evenly over 50 % to 100 % of itself."),
    on: defaulted(
      list(failureClass, { atLeast: 1 }),
      transientFailures,
      `Which failures are tried again; unless written: ${transientFailures.join(", ")}.`,
    ),
  },
  {
    expected: "a retry policy such as { max_retries: 2, delay: 500ms }",
    aliases: {
      max_attempts: "max_retries",
      attempts: "max_retries",
      limit: "max_retries",
      retries: "max_retries",
      interval: "delay",
      wait: "delay",
      factor: "backoff",
      max_interval: "max_delay",
      cap: "max_delay",
      retry_on: "on",
      errors: "on",
    },
  },
)

const retryEntry: Shape<RetryReference> = byType<RetryReference>(
  { string: text("the name of a retry policy"), mapping: retryPolicy },
  "the name of a retry policy, or a policy",
  "",
)

/** `retry: name`, `retry: [name, other]` or the policy itself. */
export const retry: Shape<ReadonlyArray<RetryReference>> = byType<ReadonlyArray<RetryReference>>(
  {
    string: map(text("the name of a retry policy"), (name) => [name]),
    list: list(retryEntry, { atLeast: 1 }),
    mapping: map(retryPolicy, (policy) => [policy]),
  },
  "the name of a retry policy, a list of names, or a policy",
  [],
  (value) => (typeof value === "number" ? `write retry: { max_retries: ${value} }` : undefined),
  (value) => (typeof value === "number" ? { yaml: `{ max_retries: ${value} }` } : undefined),
)

const ratePolicy: Shape<RatePolicy> = object(
  {
    requests_per_minute: optional(number({ above: 0 }), "Model calls a minute."),
    tokens_per_minute: optional(number({ above: 0 }), "Tokens a minute, in and out."),
    concurrency: optional(number({ integer: true, minimum: 1 }), "Calls under way at once."),
    for: optional(
      list(text("a provider, a model or an alias"), { atLeast: 1 }),
      "Providers, models and aliases it is for; what it is called itself unless written.",
    ),
  },
  {
    expected: "a rate such as { requests_per_minute: 50 }",
    aliases: {
      rpm: "requests_per_minute",
      tpm: "tokens_per_minute",
      max_parallel: "concurrency",
      models: "for",
      providers: "for",
    },
  },
)

const breaker: Shape<BreakerPolicy> = object(
  {
    failures: defaulted(
      number({ integer: true, minimum: 1 }),
      5,
      "So many calls that failed as unavailable, overloaded or too slow open it.",
    ),
    within: defaulted(duration, 60_000, "The time in which they must have failed; 1m."),
    probe_after: defaulted(
      duration,
      30_000,
      "The time until one call may try whether the provider answers again; 30s.",
    ),
  },
  {
    expected: "a breaker such as { failures: 5, within: 1m }",
    aliases: { threshold: "failures", window: "within", cooldown: "probe_after" },
  },
)

export const budget: Shape<Budget> = object(
  {
    tokens: optional(number({ integer: true, minimum: 1 }), "Tokens, in and out."),
    cost_usd: optional(number({ above: 0 }), "US dollars, by the models' list prices."),
    tool_calls: optional(number({ integer: true, minimum: 0 }), "Calls of tools."),
    model_calls: optional(number({ integer: true, minimum: 0 }), "Calls of models."),
    time: optional(duration, "Time since the start."),
  },
  {
    expected: "a budget such as { tokens: 60000, cost_usd: 0.50 }",
    aliases: { cost: "cost_usd", max_tokens: "tokens", max_cost: "cost_usd", timeout: "time" },
  },
)

export const policies: Shape<Policies> = object(
  {
    retry: defaulted(record(retryPolicy), {}, "Retry policies by name."),
    rate: defaulted(record(ratePolicy), {}, "Rates by the name of a model alias or provider."),
    breaker: optional(breaker, "Stops asking a provider that does not answer."),
    budget: optional(budget, "What the whole run may spend."),
  },
  {
    expected: "policies",
    aliases: { retries: "retry", rates: "rate", rate_limit: "rate", circuit_breaker: "breaker" },
  },
)

export const concurrency: Shape<Concurrency> = object(
  {
    group: required(text("the name of the group"), "Runs of one group share the limit."),
    limit: defaulted(number({ integer: true, minimum: 1 }), 1, "How many at once."),
    on_limit: defaulted(
      oneOf("queue", "cancel", "fail"),
      "queue",
      "queue waits, cancel stops the oldest, fail refuses the new one.",
    ),
  },
  {
    expected: "a concurrency group such as { group: reports, limit: 4 }",
    aliases: {
      max: "limit",
      max_parallel: "limit",
      behavior: "on_limit",
      cancel_in_progress: "on_limit",
    },
  },
)
