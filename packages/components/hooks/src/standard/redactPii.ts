/** The hook `redact_pii`: replaces personal data in what a model is sent, and in params and results of tools. */
import * as Effect from "effect/Effect"
import type { PiiFinder } from "@planloom/pii"
import { piiKinds, usualPiiKinds, type PiiKind } from "@planloom/pii/kinds"
import {
  hook,
  StageFailed,
  type Json,
  type JsonObject,
  type Message,
} from "@planloom/plugin/effect"

interface Options {
  readonly kinds?: ReadonlyArray<PiiKind>
  readonly country?: string
  readonly allow?: ReadonlyArray<string>
  readonly params?: boolean
  readonly results?: boolean
}

/** Redacts a text, which may have a name by which its numbers are known. */
type Redact = (text: string, name?: string) => string

export const redactPii = hook<"before_model", Options>({
  id: "redact_pii",
  summary:
    "Replaces email addresses, phone numbers and numbers of bank accounts, cards and persons.",
  point: "before_model",
  kind: "transform",
  phase: "late",
  onError: "fail",
  reviewers: true,
  input: {
    type: "object",
    properties: {
      kinds: {
        type: "array",
        items: { enum: [...piiKinds] },
        minItems: 1,
        description: "What is replaced; all but IP addresses unless written.",
      },
      country: {
        type: "string",
        pattern: "^[A-Z]{2}$",
        description:
          "The country of phone numbers without a prefix; without it, only those with a prefix are found.",
      },
      allow: {
        type: "array",
        items: { type: "string", minLength: 1 },
        description: "Texts that are kept, such as the address of the house.",
      },
      params: { type: "boolean", description: "Replaces it in params of tools, too." },
      results: {
        type: "boolean",
        description: "Replaces it in results of tools, too, before they are recorded.",
      },
    },
    additionalProperties: false,
  },
  run: ({ messages }, { with: options }) =>
    redacting(options, (redact) => ({
      messages: messages.map((message) => redactedMessage(message, redact)),
    })),
  also: {
    post_assembly: ({ sections }, { with: options }) =>
      redacting(options, (redact) => ({
        sections: sections.map((section) => {
          const text = redact(section.text)
          return text === section.text ? section : { ...section, text }
        }),
      })),
    before_tool: ({ params }, { with: options }) =>
      options.params === true
        ? redacting(options, (redact) => ({ params: redactedIn(params, redact) as JsonObject }))
        : undefined,
    after_tool: ({ result }, { with: options }) =>
      options.results === true
        ? redacting(options, (redact) => ({ result: redactedIn(result, redact) }))
        : undefined,
  },
})

/** Finders, by options: their tables are loaded once. */
const finders = new Map<string, Promise<PiiFinder>>()

const finderOf = async (
  kinds: ReadonlyArray<PiiKind>,
  country: string | undefined,
): Promise<PiiFinder> => {
  const { piiFinder } = await import("@planloom/pii")
  return piiFinder({ kinds, countries: country === undefined ? [] : [country] })
}

const redacting = <A>(
  { allow = [], country, kinds = usualPiiKinds }: Options,
  change: (redact: Redact) => A,
): Effect.Effect<A, StageFailed> =>
  Effect.map(
    Effect.tryPromise({
      try: () => {
        const key = JSON.stringify([kinds, country])
        const finder = finders.get(key) ?? finderOf(kinds, country)
        finders.set(key, finder)
        return finder
      },
      catch: (error) => new StageFailed({ class: "invalid_request", message: String(error) }),
    }),
    ({ find }) =>
      change((value, name) => {
        const text = name === undefined ? value : `${spaced(name)}: ${value}`
        const own = text.length - value.length
        let redacted = ""
        let from = own
        for (const { end, kind, start } of find(text)) {
          if (start < own || allow.includes(text.slice(start, end))) continue
          redacted += `${text.slice(from, start)}[${kind}]`
          from = end
        }
        return redacted + text.slice(from)
      }),
  )

/** Words of a name: `clientTaxNumber`, `client_tax_number`. */
const spaced = (name: string): string =>
  name.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, " ").replaceAll("_", " ")

/** Digits of the shortest card number. */
const SHORTEST_CARD = 12

/** Names of members stay, and say what their texts are; a number that could be that of a card becomes a text. */
const redactedIn = (value: Json, redact: Redact, name?: string): Json => {
  if (typeof value === "string") return redact(value, name)
  if (typeof value === "number") {
    const digits = String(value)
    if (!Number.isInteger(value) || digits.length < SHORTEST_CARD) return value
    const redacted = redact(digits)
    return redacted === digits ? value : redacted
  }
  if (Array.isArray(value)) return value.map((item: Json) => redactedIn(item, redact, name))
  return typeof value === "object" && value !== null
    ? Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, redactedIn(item, redact, key)]),
      )
    : value
}

const redactedMessage = (message: Message, redact: Redact): Message => {
  if (message.role === "tool") return { ...message, content: redactedIn(message.content, redact) }
  const { content } = message
  const own =
    typeof content === "string"
      ? redact(content)
      : content.map((one) => (one.type === "text" ? { ...one, text: redact(one.text) } : one))
  if (message.role === "user" || message.toolCalls === undefined) {
    return { ...message, content: own }
  }
  return {
    ...message,
    content: own,
    toolCalls: message.toolCalls.map((call) =>
      // A signed call must be sent as it came; the model has seen only redacted texts when it made it.
      call.signature === undefined
        ? {
            ...call,
            arguments: redactedIn(call.arguments, redact) as JsonObject,
            ...(call.written === undefined ? {} : { written: redact(call.written) }),
          }
        : call,
    ),
  }
}
