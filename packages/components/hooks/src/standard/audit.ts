/** The hook `audit`: a record of what models and tools did, kept between runs. */
import * as Effect from "effect/Effect"
import {
  hook,
  StageFailed,
  type CallContext,
  type Json,
  type JsonObject,
  type StoreFailed,
} from "@planloom/plugin/effect"
import { parseDuration } from "@planloom/plugin/duration"

interface Options {
  readonly collection?: string
  readonly keep?: string
  readonly texts?: boolean
}

type Context = CallContext<Options>

export const audit = hook<"after_model", Options>({
  id: "audit",
  summary: "Keeps a record of replies, tool calls, responses and ends of runs in the store.",
  point: "after_model",
  kind: "observe",
  phase: "late",
  reviewers: true,
  input: {
    type: "object",
    properties: {
      collection: {
        type: "string",
        minLength: 1,
        description: "The collection of the store that keeps the record; `audit` unless written.",
      },
      keep: {
        type: "string",
        format: "duration",
        description: "How long an entry is kept; forever by default.",
      },
      texts: {
        type: "boolean",
        description: "Keeps texts, params and results, too, which may be personal.",
      },
    },
    additionalProperties: false,
  },
  run: ({ reply }, context) =>
    record(context, "after_model", {
      model: reply.model,
      finish: reply.finish,
      usage: reply.usage as unknown as Json,
      ...texts(context, { text: reply.text }),
    }),
  also: {
    before_tool: ({ effect, params, tool }, context) =>
      record(context, "before_tool", { tool, effect, ...texts(context, { params }) }),
    after_tool: ({ call: { key, ok, tool }, result }, context) =>
      record(context, "after_tool", { tool, key, ok, ...texts(context, { result }) }),
    before_response: ({ output, text }, context) =>
      record(context, "before_response", {
        output,
        characters: text.length,
        ...texts(context, { text }),
      }),
    run_finished: ({ degraded, outputs, status }, context) =>
      record(context, "run_finished", { status, degraded, ...texts(context, { outputs }) }),
  },
})

const texts = ({ with: { texts: kept = false } }: Context, data: JsonObject): JsonObject =>
  kept ? data : {}

/** Keys are in order of time; entries of one millisecond are numbered. */
const record = (
  context: Context,
  point: string,
  data: JsonObject,
): Effect.Effect<void, StageFailed> => {
  const { now, path, run, with: options } = context
  const entries = context.collection(options.collection ?? "audit")
  const ttl = options.keep === undefined ? undefined : parseDuration(options.keep)
  const put = (number: number): Effect.Effect<void, StoreFailed> =>
    Effect.flatMap(
      entries.put(
        `${new Date(now).toISOString()} ${run} ${number}`,
        { run, path, point, ...data },
        { version: "new", ...(ttl === undefined ? {} : { ttl }) },
      ),
      ({ ok }) => (ok ? Effect.void : put(number + 1)),
    )
  return Effect.mapError(
    put(1),
    ({ message }) =>
      new StageFailed({ class: "unavailable", message: `the record cannot be kept: ${message}` }),
  )
}
