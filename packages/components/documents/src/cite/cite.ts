/** Stage kind `cite`: answers a question from the passages of a search, and cites them. */
import * as Effect from "effect/Effect"
import { StageFailed, stageKind } from "@planloom/plugin/effect"
import type { Failure, Json, JsonObject, Message, StageContext } from "@planloom/plugin/effect"
import { corrections, withSummary } from "@planloom/stage-kit"
import { knownMarks, readMarks } from "./marks.ts"
import { INSTRUCTIONS, problemsOf, questionText, quotes, refusalText } from "./citeTexts.ts"
import {
  inOrder,
  notRead,
  numbered,
  sourceLines,
  sourceValue,
  unknownWords,
  type SearchOutput,
  type Source,
} from "./sources.ts"

interface Input {
  readonly question: string
  readonly search: SearchOutput
  readonly order: ReadonlyArray<string>
  readonly max_characters: number
  readonly corrections: number
  readonly on_unknown: "remove" | "fail"
  readonly show_sources: boolean
}

const text = { type: "string" } as const

/** A passage and its place. */
const placed = {
  library: text,
  id: text,
  path: text,
  heading: text,
  first_line: { type: "integer" },
  last_line: { type: "integer" },
  page: { type: "integer" },
  modified: text,
} as const

/** Passages without a model. */
const QUOTED = 3

interface Answered {
  readonly body: string
  readonly sources: ReadonlyArray<Source>
  readonly removed?: ReadonlyArray<number>
  /** The text has the places already. */
  readonly isListed?: true
}

const withModel = (input: Input, context: StageContext): Effect.Effect<Json, Failure> =>
  input.search.found && input.search.passages.length > 0
    ? Effect.flatMap(ask(input, context), (answered) => finished(answered, input, context))
    : finished(nothingFound(input, context), input, context)

const ask = Effect.fnUntraced(function* (input: Input, context: StageContext) {
  const sources = numbered(inOrder(input.search.passages, input.order), input.max_characters)
  const isKnown = (number: number) => number >= 1 && number <= sources.length
  const showing = knownMarks(isKnown)
  const prompt = { sections: [{ id: "citations", text: INSTRUCTIONS, stable: true }] }
  const messages: Array<Message> = [
    { role: "user", content: questionText(input.question, sources) },
    ...corrections(context, "Reply with a text that cites passages."),
  ]
  for (let correction = 0; ; correction++) {
    // The gate of the workflow reads the question, the passages and each reply.
    const reply = yield* context.model.text({ prompt, messages, parts: "reply", showing })
    const body = reply.text.trim()
    const { kept, numbers } = readMarks(body, isKnown)
    if (reply.blocked === true) return { body: kept, sources: [] } satisfies Answered
    if (kept === "")
      return yield* new StageFailed({
        class: "invalid_output",
        message: "the model wrote no text",
      })
    const removed = numbers.filter((number) => !isKnown(number))
    const problems = problemsOf(numbers, removed, sources.length)
    if (problems.length > 0 && correction < input.corrections) {
      messages.push(
        { role: "assistant", content: body },
        { role: "user", content: refusalText(problems) },
      )
      continue
    }
    if (removed.length > 0 && input.on_unknown === "fail")
      return yield* new StageFailed({
        class: "invalid_output",
        message: "the answer cites passages that were not retrieved",
        detail: { reply: body, issues: [...problems] },
      })
    const cited = sources.filter(({ number }) => numbers.includes(number))
    return { body: kept, sources: cited, removed } satisfies Answered
  }
})

const mechanically = (input: Input, context: StageContext): Effect.Effect<Json> => {
  const sources = numbered(inOrder(input.search.passages, input.order), input.max_characters).slice(
    0,
    QUOTED,
  )
  return finished(
    input.search.found && sources.length > 0
      ? {
          body: `${context.text("quoted")}\n\n${quotes(sources, input.show_sources)}`,
          sources,
          isListed: true,
        }
      : nothingFound(input, context),
    input,
    context,
  )
}

const nothingFound = ({ search }: Input, { text: give }: StageContext): Answered => {
  const words = unknownWords(search).map((word) => `"${word}"`)
  const without =
    words.length === 0 ? [] : [give("no_word", { values: { words: words.join(", ") } })]
  return { body: [give("nothing_found"), ...without].join(" "), sources: [] }
}

const finished = (
  { body, isListed, removed = [], sources }: Answered,
  { search, show_sources: isShown }: Input,
  context: StageContext,
): Effect.Effect<Json> => {
  const rest = notRead(search, context.text)
  const output: JsonObject = {
    text: [
      body,
      ...(rest === "" ? [] : [rest]),
      ...(isShown && isListed !== true && sources.length > 0
        ? [sourceLines(sources, context.text)]
        : []),
    ].join("\n\n"),
    found: search.found,
    sources: sources.map(sourceValue),
    removed: [...removed],
    complete: rest === "",
  }
  return removed.length === 0
    ? Effect.succeed(output)
    : Effect.as(context.note("invented_citations", { numbers: [...removed] }), output)
}

const summaryOf = (output: Json): string => {
  const { found, removed, sources } = output as unknown as {
    readonly found: boolean
    readonly sources: ReadonlyArray<{ readonly place: string }>
    readonly removed: ReadonlyArray<number>
  }
  if (!found) return "nothing found"
  const cited =
    sources.length === 0 ? "no passage cited" : sources.map(({ place }) => place).join(", ")
  return removed.length === 0 ? cited : `${cited}; invented citations removed: ${removed.length}`
}

const file = {
  type: "array",
  items: {
    type: "object",
    additionalProperties: true,
    required: ["path", "reason"],
    properties: { path: text, reason: text },
  },
} as const

export const cite = stageKind<Input>({
  id: "cite",
  summary: "Answers a question from the passages of a search, and cites them with their places.",
  sections: ["citations"],
  input: {
    type: "object",
    additionalProperties: false,
    required: ["question", "search"],
    properties: {
      question: { ...text, minLength: 1, description: "what to answer" },
      search: {
        type: "object",
        additionalProperties: true,
        required: ["found", "passages"],
        properties: {
          found: { type: "boolean" },
          passages: {
            type: "array",
            items: {
              type: "object",
              additionalProperties: true,
              required: ["library", "id", "path", "heading", "text"],
              properties: {
                ...placed,
                text,
              },
            },
          },
          unreadable: file,
          cut: file,
        },
        description: "the output of `search`, or the result of `search_documents`",
      },
      order: {
        type: "array",
        items: text,
        maxItems: 1000,
        default: [],
        description:
          "ids of passages, the best first, such as a model's order of them; the others follow as the search has them",
      },
      max_characters: {
        type: "integer",
        minimum: 100,
        default: 6000,
        description: "characters of passages that a model reads; the best ones first",
      },
      corrections: {
        type: "integer",
        minimum: 0,
        maximum: 3,
        default: 1,
        description:
          "how often a model is asked again that cites no passage, or one that was not retrieved",
      },
      on_unknown: {
        enum: ["remove", "fail"],
        default: "remove",
        description:
          "what happens to a citation of a passage that was not retrieved, after the corrections",
      },
      show_sources: {
        type: "boolean",
        default: true,
        description: "false: the text has no list of the cited passages",
      },
    },
  },
  output: {
    type: "object",
    additionalProperties: false,
    required: ["text", "found", "sources", "removed", "complete"],
    properties: {
      text: { ...text, description: "the answer for a person" },
      found: { type: "boolean", description: "whether the search has found something" },
      sources: {
        type: "array",
        items: {
          type: "object",
          additionalProperties: false,
          required: ["number", "library", "id", "path", "heading", "place"],
          properties: {
            number: { type: "integer" },
            ...placed,
            place: text,
          },
        },
        description: "the cited passages",
      },
      removed: {
        type: "array",
        items: { type: "integer" },
        description: "citations of passages that were not retrieved",
      },
      complete: { type: "boolean", description: "whether all files were read as a whole" },
    },
  },
  streams: "text",
  asks: ({ open, with: { corrections: times } }) => ({
    questions: [
      {
        way: "text",
        isReply: true,
        times: open.includes("corrections") ? 4 : 1 + Number(times ?? 1),
      },
    ],
  }),
  model: withSummary(withModel, summaryOf),
  mechanical: withSummary(mechanically, summaryOf),
  refused: (said) => ({ ...unsourced, text: said }),
  blocked: (said, _, output) => ({ ...output, ...unsourced, text: said }),
})

/** Of a text in place of an answer. */
const unsourced = { found: false, sources: [], removed: [], complete: true } as const
