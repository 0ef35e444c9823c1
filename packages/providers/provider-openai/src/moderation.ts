/** The subagents `moderation` and `moderation_input`: what a service's moderation endpoint says of a text, as OpenAI and Mistral have it. */
import * as Effect from "effect/Effect"
import {
  ModelFailed,
  subagent,
  type Failure,
  type Finding,
  type Subagent,
} from "@planloom/plugin/effect"
import { isProviderError, sendRequest, toModelFailed, tryRead } from "@planloom/provider-kit"
import { clientFor, secretsOf } from "./client.ts"
import { readModeration, type Moderated } from "./readModeration.ts"
import type { ModerationOptions } from "./options.ts"
import { requestOptions } from "./requestOptions.ts"

interface Options {
  readonly categories?: ReadonlyArray<string>
  readonly scores?: { readonly [category: string]: number }
  readonly verdict?: "flag" | "block"
}

/** Characters of one part of a text: fewer than the context of every service's model. */
const PART = 6000

/** Characters that a part has of the one before it, so that no sentence is read only in halves. */
const OVERLAP = 300

/** Parts of one request. */
const MAX_PARTS = 100

/** Categories of OpenAI and Mistral. Findings name one that is not known as `other`. */
const CATEGORIES: ReadonlyArray<string> = [
  "dangerous_and_criminal_content",
  "financial",
  "harassment",
  "harassment/threatening",
  "hate",
  "hate/threatening",
  "hate_and_discrimination",
  "health",
  "illicit",
  "illicit/violent",
  "jailbreaking",
  "law",
  "pii",
  "self-harm",
  "self-harm/instructions",
  "self-harm/intent",
  "selfharm",
  "sexual",
  "sexual/minors",
  "violence",
  "violence/graphic",
  "violence_and_threats",
]

const OTHER = "other"

export const moderationSubagents = (
  options: ModerationOptions | undefined,
): ReadonlyArray<Subagent> => {
  const moderate = moderator(options)
  const reviewing = (id: string, at: "input" | "whole", what: "request" | "text") =>
    subagent<Options>({
      id,
      summary: `Asks a moderation service about ${what === "text" ? "a complete text" : "the request"}.`,
      class: "safety",
      can: ["pass", "flag", "block"],
      at,
      scope: "last",
      timeout: "10s",
      input: {
        type: "object",
        properties: {
          categories: {
            type: "array",
            items: { type: "string", minLength: 1 },
            minItems: 1,
            description:
              "Categories that count, as the service names them; all of them unless written.",
          },
          scores: {
            type: "object",
            additionalProperties: { type: "number", minimum: 0, maximum: 1 },
            description:
              "By category: the score from which it counts, in place of what the service decides.",
          },
          verdict: {
            enum: ["flag", "block"],
            description: "The verdict on a text of such a category; `block` unless written.",
          },
        },
        additionalProperties: false,
      },
      rules: ({ categories = [], scores = {} }) => [
        ...new Set([...CATEGORIES, ...categories, ...Object.keys(scores), OTHER]),
      ],
      // None of the engine's models.
      asks: () => [],
      review: (draft, { with: given }) => {
        const text = draft[what]
        return text.trim() === ""
          ? Effect.succeed(findingOf([], given))
          : Effect.flatMap(moderate(text), ({ name, verdicts }) => {
              const missing = missingIn(verdicts, given)
              return missing === undefined
                ? Effect.succeed(findingOf(verdicts, given))
                : Effect.fail(
                    new ModelFailed({ class: "invalid_request", model: name, message: missing }),
                  )
            })
      },
    })
  return [
    reviewing("moderation", "whole", "text"),
    reviewing("moderation_input", "input", "request"),
  ]
}

const findingOf = (
  moderated: ReadonlyArray<Moderated>,
  { categories, scores = {}, verdict = "block" }: Options,
): Finding => {
  const found = new Set<string>()
  for (const { category, isFlagged, score } of moderated) {
    if (categories !== undefined && !categories.includes(category)) continue
    const least = Object.hasOwn(scores, category) ? scores[category] : undefined
    if (least === undefined ? isFlagged : score! >= least) found.add(category)
  }
  if (found.size === 0) {
    return { verdict: "pass", confidence: 1, reason: "the service finds no category that counts" }
  }
  const named = new Set([...CATEGORIES, ...(categories ?? []), ...Object.keys(scores)])
  const all = [...found]
  return {
    verdict,
    confidence: 1,
    reason: `the service finds: ${all.join(", ")}`,
    issues: all,
    rules: [...new Set(all.map((one) => (named.has(one) ? one : OTHER)))],
  }
}

/** An option about what the service does not judge would never act. */
const missingIn = (
  verdicts: ReadonlyArray<Moderated>,
  { categories = [], scores = {} }: Options,
): string | undefined => {
  const judged = new Set(verdicts.map(({ category }) => category))
  const scored = new Set(
    verdicts.filter(({ score }) => score !== undefined).map(({ category }) => category),
  )
  const category = categories.find((one) => !judged.has(one))
  if (category !== undefined) {
    return `the service has no category "${category}"; it has ${[...judged].join(", ")}`
  }
  const unscored = Object.keys(scores).find((one) => !scored.has(one))
  return unscored === undefined ? undefined : `the service has no score of "${unscored}"`
}

interface Moderation {
  readonly name: string
  readonly verdicts: ReadonlyArray<Moderated>
}

type Moderator = (text: string) => Effect.Effect<Moderation, Failure>

const moderator = (options: ModerationOptions | undefined): Moderator => {
  if (options === undefined) return () => Effect.fail(unset)
  const { model, server } = options
  const name = `${server.id}/${model}`
  const client = clientFor(server)
  return (text) => {
    const parts = partsOf(text)
    if (parts.length > MAX_PARTS) {
      const message = `the text has more than ${MAX_PARTS * (PART - OVERLAP)} characters`
      return Effect.fail(new ModelFailed({ class: "invalid_request", model: name, message }))
    }
    return Effect.flatMap(client(name), (createClient) =>
      sendRequest(requestOptions(server, model), (exchange) =>
        createClient(exchange).post("/moderations", {
          body: { model, input: parts },
          signal: exchange.signal,
        }),
      ),
    ).pipe(
      Effect.flatMap((answer) => {
        const moderated = tryRead(() => readModeration(answer, parts.length))
        return isProviderError(moderated)
          ? Effect.fail(toModelFailed(name, moderated, secretsOf(server)))
          : Effect.succeed({ name, verdicts: moderated })
      }),
    )
  }
}

const unset = new ModelFailed({
  class: "auth",
  model: "openai/unset",
  message: "no service is set: write `moderation` into the config of @planloom/provider-openai",
  unsent: true,
})

const partsOf = (text: string): ReadonlyArray<string> => {
  const parts: Array<string> = []
  for (let start = 0; start === 0 || start + OVERLAP < text.length; start += PART - OVERLAP) {
    parts.push(text.slice(start, start + PART))
  }
  return parts
}
