/** Workflows behind a gate whose model is a script: what each host gets of a run, and what only operators see. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { load } from "@planloom/embed"
import { memorySessions, run, InputsRejected, type RunOptions } from "@planloom/core"
import {
  definePlugin,
  hook,
  userEvent,
  validator,
  type Json,
  type JsonObject,
  type ModelPart,
  type Part,
  type Provider,
  type RunEvent,
  type ToolInvocation,
  type Wait,
} from "@planloom/plugin/effect"
import hooks from "@planloom/hooks"
import shadow from "@planloom/shadow"
import stages from "@planloom/stages"
import validators from "@planloom/validators"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { RunTrace } from "../../../../components/telemetry/src/RunTrace.ts"
import type { OtlpSpan } from "../../../../components/telemetry/src/Span.ts"

/** What a model writes in one reply. */
export interface Reply {
  readonly text: string
  readonly reasoning?: string
  /** Calls of the tool `note`, by their params. */
  readonly calls?: ReadonlyArray<JsonObject>
}

/** Replies by the name of the task that asks, which its text begins with; the last one is repeated. */
export type Script = { readonly [task: string]: ReadonlyArray<Reply> }

/** Blocks a word. */
export const BLOCKED = "zyxgarant"

const word = validator({
  id: "word",
  summary: "Blocks a word.",
  window: BLOCKED.length,
  validate: (text) => {
    const start = text.indexOf(BLOCKED)
    return start < 0
      ? { verdict: "pass", confidence: 1, reason: "fine" }
      : {
          verdict: "block",
          confidence: 1,
          reason: "not that word",
          spans: [{ start, end: start + BLOCKED.length }],
        }
  },
})

const look = hook({
  id: "look",
  summary: "Looks at a stage.",
  kind: "observe",
  point: "before_stage",
  run: () => Effect.void,
})

const leave = hook({
  id: "leave",
  summary: "Looks at an output.",
  kind: "observe",
  point: "before_response",
  run: () => Effect.void,
})

const scripted = (script: Script): Provider => {
  const asked = new Map<string, number>()
  return {
    id: "scripted",
    summary: "Replies as its script says.",
    stream: ({ messages }) =>
      Stream.suspend(() => {
        const texts = messages.flatMap(({ content }) =>
          typeof content === "string" ? [content] : [],
        )
        const task = texts.flatMap((text) => /^task (\w+)/.exec(text)?.[1] ?? [])[0] ?? ""
        const replies = script[task] ?? [{ text: "fine" }]
        const count = asked.get(task) ?? 0
        asked.set(task, count + 1)
        const { calls = [], reasoning, text } = replies[Math.min(count, replies.length - 1)]!
        const parts: ReadonlyArray<ModelPart> = [
          ...(reasoning === undefined ? [] : [{ type: "reasoning", text: reasoning } as const]),
          ...(text.match(/[^]{1,7}/g) ?? []).map((piece): ModelPart => ({
            type: "text",
            text: piece,
          })),
          ...calls.map((given, index): ModelPart => ({
            type: "tool_call",
            call: { id: `c${count}${index}`, name: "note", arguments: given },
          })),
          {
            type: "finish",
            reason: calls.length > 0 ? "tool_calls" : "stop",
            usage: { input: 1, output: 1 },
          },
        ]
        return Stream.rechunk(Stream.fromIterable(parts), 1)
      }),
  }
}

/** What a run has shown, and to whom. */
export interface Course {
  readonly status: string
  readonly outputs: JsonObject
  /** Of the run's failure. */
  readonly failure: Json
  readonly events: ReadonlyArray<RunEvent>
  readonly userEvents: ReadonlyArray<RunEvent>
  readonly parts: ReadonlyArray<Part>
  readonly waits: ReadonlyArray<Wait>
  /** Its turns. */
  readonly session: Json
  readonly spans: Json
  /** Params with which the tool ran. */
  readonly made: ReadonlyArray<JsonObject>
}

export interface Ways {
  readonly store?: RunOptions["store"]
  readonly run?: string
  readonly isStreamed?: boolean
  /** The input; `hello` unless given. */
  readonly said?: string
  readonly files?: { readonly [name: string]: string }
}

export const opened = (
  body: string,
  script: Script,
  files: { readonly [name: string]: string } = {},
) => {
  const folder = mkdtempSync(join(tmpdir(), "shown-"))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const path = join(folder, "w.yaml")
  writeFileSync(path, `apiVersion: planloom/v1\nkind: Workflow\nname: w\n${body}`)
  const made: Array<JsonObject> = []
  const plugin = definePlugin({
    id: "world",
    summary: "A model and a tool of a test.",
    components: {
      providers: [scripted(script)],
      validators: [word],
      hooks: [look, leave],
      tools: [
        {
          id: "notes",
          summary: "Notes.",
          list: Effect.succeed({
            tools: [
              {
                name: "note",
                summary: "Notes a text.",
                capabilities: [],
                inputs: {},
                outputs: [],
                params: { type: "object", properties: { text: { type: "string" } } },
              },
            ],
          }),
          call: ({ params }: ToolInvocation) =>
            Effect.sync(() => {
              made.push(params)
              return { value: { noted: params["text"] ?? "" } }
            }),
        },
      ],
    },
  })
  return Effect.map(
    load(path, { extraPlugins: [stages, shadow, validators, hooks, plugin] }),
    ({ pipeline }) => ({ pipeline, made }),
  )
}

/** Runs the workflow to its end; every question is answered with a yes, or with `ok`. */
export const ran = (body: string, script: Script, ways: Ways = {}) =>
  Effect.gen(function* () {
    const { made, pipeline } = yield* opened(body, script, ways.files)
    const events: Array<RunEvent> = []
    const parts: Array<Part> = []
    const waits: Array<Wait> = []
    const spans: Array<OtlpSpan> = []
    const sessions = ways.store === undefined ? memorySessions() : ways.store.sessions
    const { isStreamed = false, run: id, store } = ways
    const options: RunOptions = {
      ...(store === undefined ? {} : { store }),
      ...(id === undefined ? {} : { run: id }),
      ...(pipeline.session === undefined ? {} : { session: "talk", sessions }),
      onEvent: (event) => void events.push(event),
      telemetry: { observe: (observed) => new RunTrace(observed, (span) => void spans.push(span)) },
      ...(isStreamed ? { onPart: (part: Part) => void parts.push({ ...part }) } : {}),
      answer: (wait) =>
        Effect.sync(() => {
          waits.push(wait)
          return wait.kind === "approval" ? { approved: true } : "ok"
        }),
    }
    const outcome = yield* Effect.match(run(pipeline, { said: ways.said ?? "hello" }, options), {
      onFailure: (failure) => {
        if (failure instanceof InputsRejected) throw failure
        return { result: failure.result, failure: { ...failure.reason, said: failure.message } }
      },
      onSuccess: (result) => ({ result, failure: null }),
    })
    const { result } = outcome
    const kept = pipeline.session === undefined ? null : yield* sessions.load("talk")
    return {
      status: result.status,
      outputs: result.outputs,
      failure: [outcome.failure, result.failure ?? null] as unknown as Json,
      events,
      userEvents: events.flatMap((event) => userEvent(event) ?? []),
      parts,
      waits,
      session: (kept?.turns ?? null) as unknown as Json,
      made,
      spans: spans as unknown as Json,
    } satisfies Course
  })
