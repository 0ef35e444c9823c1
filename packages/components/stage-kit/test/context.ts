/** A small stage context: scripted replies, tools as functions, an index by shared words, and a record of all of it. */
import * as Effect from "effect/Effect"
import { ModelFailed, StageFailed, ToolFailed } from "@planloom/plugin/effect"
import type {
  Ask,
  CallRecord,
  Clarified,
  Domain,
  Failure,
  Feedback,
  FailureRecord,
  IndexDocument,
  Json,
  JsonObject,
  JsonSchema,
  ModelReply,
  Question,
  StageContext,
  StageKind,
  Strategy,
  Tool,
  PreparedCall,
} from "@planloom/plugin/effect"
import { textGiver } from "@planloom/plugin/texts"
import { checkValue } from "@planloom/planning"

export interface Call {
  readonly tool: string
  readonly params: JsonObject
  readonly inputs: JsonObject
  readonly key: string
}

export interface Given {
  /** Whether its model lists every capability. */
  readonly can?: boolean
  /** Calls of tools in each reply of `text`. */
  readonly toolCalls?: ModelReply["toolCalls"]
  /** Replies in order: text for `text`, any JSON for `json`. */
  readonly replies?: ReadonlyArray<Json>
  readonly tools?: ReadonlyArray<Tool>
  /** What a call gives; an Effect when time or failure matter. */
  readonly call?: (call: Call) => Json | Effect.Effect<Json, ToolFailed>
  readonly domains?: ReadonlyArray<Domain>
  /** Contents of files under `use.files`, by kind. */
  readonly files?: { readonly [kind: string]: ReadonlyArray<Json> }
  readonly feedback?: Feedback
  readonly previous?: FailureRecord
  readonly answers?: ReadonlyArray<Clarified>
  /** To every question. */
  readonly answer?: Json
  readonly workflow?: (path: string, inputs: JsonObject) => JsonObject
}

export interface Recorded {
  readonly context: StageContext
  readonly asks: Array<Ask & { readonly schema?: JsonSchema }>
  readonly calls: Array<Call>
  readonly questions: Array<Question>
  readonly notes: Array<{ readonly note: string; readonly data: Json }>
  readonly progress: Array<string>
}

const words = (text: string) => new Set(text.toLowerCase().match(/[a-z]+/g) ?? [])

const indexOf = (documents: ReadonlyArray<IndexDocument>) => {
  const known = documents.map(({ id, fields }) => ({
    id,
    words: words(Object.values(fields).join(" ").replaceAll("_", " ")),
  }))
  return {
    search: (
      query: string,
      { least = 0, limit }: { readonly least?: number; readonly limit: number },
    ) =>
      Effect.sync(() => {
        const wanted = words(query)
        return known
          .map(({ id, words: own }) => ({
            id,
            score: [...wanted].filter((word) => own.has(word)).length / Math.max(1, wanted.size),
          }))
          .filter(({ score }) => score > 0 && score >= least)
          .toSorted((left, right) => right.score - left.score)
          .slice(0, limit)
      }),
    add: () => Effect.void,
    remove: () => Effect.void,
    size: () => known.length,
  }
}

/** Repairs the params and checks them; tools of a test have no expressions. */
const prepared = (
  tools: ReadonlyArray<Tool> | undefined,
  { params: asked, repair, tool: name }: Parameters<StageContext["prepareCall"]>[0],
): PreparedCall => {
  if (tools === undefined) return { params: asked, repairs: [] }
  const tool = tools.find((one) => one.name === name)
  if (tool === undefined)
    return { params: asked, repairs: [], problem: `there is no tool "${name}"` }
  const { params, repairs } = repair?.(tool, asked) ?? { params: asked, repairs: [] }
  const [mismatch] = checkValue(tool.params, params)
  return mismatch === undefined
    ? { params, repairs }
    : { params, repairs, problem: `${mismatch.path.join(".")} ${mismatch.message}` }
}

export const makeContext = (given: Given = {}): Recorded => {
  const replies = [...(given.replies ?? [])]
  const recorded: Omit<Recorded, "context"> = {
    asks: [],
    calls: [],
    questions: [],
    notes: [],
    progress: [],
  }
  const keys = new Set<string>()
  const next = (ask: Ask, schema?: JsonSchema): Effect.Effect<Json, ModelFailed> => {
    recorded.asks.push({ ...ask, ...(schema === undefined ? {} : { schema }) })
    const reply = replies.shift()
    return reply === undefined
      ? Effect.fail(new ModelFailed({ class: "no_model", message: "no reply", model: "none" }))
      : Effect.succeed(reply)
  }
  const made: Array<CallRecord> = []
  const context: StageContext = {
    run: "run",
    path: "stage",
    user: {},
    variant: () => undefined,
    text: textGiver({}, undefined),
    attempt: 1,
    previous: given.previous,
    feedback: given.feedback,
    answers: given.answers ?? [],
    holds: () => Effect.succeed(false),
    sleepUntil: () => Effect.void,
    image: (path) =>
      Effect.succeed({ type: "image", mediaType: "image/png", data: `sha256:${path}` }),
    model: {
      can: () => given.can ?? false,
      agent: () => Effect.die(new Error("this context has no tool loop")),
      text: (ask) =>
        Effect.map(next(ask), (reply) => ({
          text: String(reply),
          reasoning: "",
          toolCalls: given.toolCalls ?? [],
          finish: "stop",
          usage: { input: 0, output: 0 },
          model: "scripted/one",
        })),
      json: (ask, { schema }) =>
        Effect.flatMap(next(ask, schema), (reply) => {
          const mismatches = checkValue(schema, reply)
          return mismatches.length === 0
            ? Effect.succeed(reply)
            : Effect.fail(
                new ModelFailed({
                  class: "invalid_output",
                  message: "the reply does not fit",
                  model: "scripted/one",
                  detail: {
                    issues: mismatches.map(({ path, message }) => ({
                      path: path.join("."),
                      message,
                    })),
                  },
                }),
              )
        }),
    },
    tools: given.tools ?? [],
    calls: made,
    prepareCall: (call) => Effect.succeed(prepared(given.tools, call)),
    callTool: ({ inputs, key, refusal, ...wanted }) =>
      Effect.suspend(() => {
        const { tool } = wanted
        if (keys.has(key)) return Effect.die(new Error(`the key ${key} is used twice`))
        keys.add(key)
        if (refusal !== undefined) return Effect.fail(new ToolFailed({ ...refusal, tool }))
        const { params, problem } = prepared(given.tools, wanted)
        if (problem !== undefined)
          return Effect.fail(new ToolFailed({ tool, class: "invalid_request", message: problem }))
        const call = { tool, params, inputs: inputs ?? {}, key }
        recorded.calls.push(call)
        const result = given.call?.(call) ?? null
        const outcome = Effect.isEffect(result)
          ? (result as Effect.Effect<Json, ToolFailed>)
          : Effect.succeed(result)
        return Effect.tap(outcome, (value) =>
          Effect.sync(() => {
            const summary = `the result of ${tool}`
            made.push({ tool, params, key, path: "", ok: true, summary, result: value })
          }),
        )
      }),
    review: () => Effect.die(new Error("this context has no reviewers")),
    domains: given.domains ?? [],
    files: (kind) => given.files?.[kind] ?? [],
    index: (documents) => Effect.succeed(indexOf(documents)),
    workflow: (path, inputs) =>
      given.workflow === undefined
        ? Effect.fail(new StageFailed({ class: "internal", message: `no workflow ${path}` }))
        : Effect.succeed(given.workflow(path, inputs)),
    ask: (question) =>
      Effect.sync(() => {
        recorded.questions.push(question)
        return { by: "ann", at: 0, value: given.answer ?? null }
      }),
    step: (_, effect) => effect,
    now: Effect.succeed(0),
    random: Effect.succeed(0),
    id: Effect.succeed("id"),
    progress: (message) => Effect.sync(() => void recorded.progress.push(message)),
    note: (note, data) => Effect.sync(() => void recorded.notes.push({ note, data })),
  }
  return { context, ...recorded }
}

/** `with` as the engine hands it over: checked, defaults filled in. */
const prepare = (kind: StageKind, input: JsonObject): JsonObject => {
  const { properties } = kind.input as {
    readonly properties: { readonly [name: string]: { readonly default?: Json } }
  }
  const defaults = Object.entries(properties).flatMap(([name, schema]) =>
    schema.default === undefined ? [] : [[name, schema.default] as const],
  )
  const filled = { ...Object.fromEntries(defaults), ...input }
  const mismatches = checkValue(kind.input, filled)
  if (mismatches.length > 0) throw new Error(`with does not fit: ${JSON.stringify(mismatches)}`)
  return filled
}

/** Runs one strategy and checks its output against the kind's own schema. */
export const runKind = (
  kind: StageKind,
  strategy: "run" | "model" | "mechanical",
  input: JsonObject,
  { context }: Recorded,
): Effect.Effect<JsonObject, Failure> => {
  const work = kind[strategy] as Strategy<JsonObject> | undefined
  if (work === undefined) throw new Error(`${kind.id} has no ${strategy} strategy`)
  return Effect.scoped(work(prepare(kind, input), context)).pipe(
    Effect.map((output) => {
      const schema =
        typeof kind.output === "function"
          ? kind.output(input, {
              given: () => undefined,
              workflow: () => undefined,
              toolResult: () => undefined,
            })
          : kind.output
      const mismatches = checkValue(schema, output)
      if (mismatches.length > 0)
        throw new Error(`output does not fit: ${JSON.stringify(mismatches)}`)
      return output as JsonObject
    }),
  )
}
