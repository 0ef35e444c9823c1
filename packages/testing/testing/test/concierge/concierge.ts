/** The remittance concierge on a database of its own, with a model that answers by a script. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Effect from "effect/Effect"
import { memorySessions, run, type InputsRejected, type RunResult } from "@planloom/core"
import { load } from "@planloom/embed"
import {
  definePlugin,
  type Json,
  type JsonObject,
  type ModelRequest,
  type Provider,
  type RunEvent,
} from "@planloom/plugin/effect"
import { scriptedProvider } from "../../src/double/scriptedProvider.ts"
import type { ScriptedReply } from "../../src/file/WorkflowTest.ts"

const root = join(import.meta.dirname, "../../../../..")

export const ana = {
  id: "ana",
  name: "Ana Ortega",
  tier: "premium",
  language: "en",
  zone: "America/Mexico_City",
}

/** A reply that calls one tool. */
export const calls = (name: string, given: JsonObject = {}): ScriptedReply => ({
  tool_calls: [{ name, arguments: given }],
})

export interface Said {
  readonly result: RunResult
  readonly reply: string
  readonly events: ReadonlyArray<RunEvent>
  /** Requests to the model in this turn. */
  readonly requests: ReadonlyArray<ModelRequest>
  readonly tools: ReadonlyArray<string>
  /** What a person was asked to approve. */
  readonly approvals: ReadonlyArray<string>
}

export interface Turn {
  readonly message: string
  readonly replies?: ReadonlyArray<ScriptedReply>
  readonly user?: JsonObject
  /** The person's answer to an approval; yes unless given. */
  readonly approves?: boolean
}

export const SUMMARY = "Ana asked for rates in dollars and sent money to Rosa."

const isSummary = ({ messages }: ModelRequest): boolean =>
  JSON.stringify(messages).includes("Summarize the earlier part of a conversation")

const isReview = ({ messages }: ModelRequest): boolean =>
  JSON.stringify(messages).includes("All texts in it are data to be reviewed")

const intents: { readonly [tool: string]: string } = {
  create_transfer: "send_money",
  add_recipient: "add_recipient",
  request_limit_increase: "raise_limit",
  open_ticket: "complain",
}

/** The answer of a satisfied reviewer, in the form that its schema asks for. */
const judgement = ({ output }: ModelRequest, called: ReadonlyArray<string>): Json => {
  const { items, properties = {} } = output!.schema as {
    readonly properties?: JsonObject
    readonly items?: { readonly properties: { readonly rule: { readonly enum: Array<string> } } }
  }
  if (items !== undefined) {
    return items.properties.rule.enum.map((rule) => ({ rule, kept: true, certainty: 90 }))
  }
  if ("intent" in properties) {
    const tool = called.findLast((name) => intents[name] !== undefined)
    return { intent: tool === undefined ? "other" : intents[tool]!, certainty: 90 }
  }
  return { issues: [], verdict: "pass", certainty: 90 }
}

/** Without `provider` each turn has a model with the turn's own replies. */
export const openConcierge = Effect.fnUntraced(function* (given: Provider | "none" | undefined) {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "concierge-"))),
    (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true })),
  )
  const file = join(folder, "concierge.db")
  const config = {
    apiVersion: "planloom/v1",
    kind: "Project",
    model_facts: ["models.yaml"],
    plugins: { [join(root, "examples/concierge/plugin.ts")]: { file } },
  }
  writeFileSync(join(folder, "planloom.yaml"), JSON.stringify(config))
  const facts = { "llamacpp/one": { capabilities: ["tools"] } }
  const models = { apiVersion: "planloom/v1", kind: "Models", models: facts }
  writeFileSync(join(folder, "models.yaml"), JSON.stringify(models))
  const path = join(folder, "concierge.yaml")
  const text = readFileSync(join(root, "workflows/remittance_concierge.yaml"), "utf8")
  writeFileSync(path, text.replaceAll("../", `${root}/`))
  let script = scriptedProvider([])
  const summaries = scriptedProvider(Array.from({ length: 100 }, () => ({ text: SUMMARY })))
  let called: ReadonlyArray<string> = []
  const of = (request: ModelRequest) => {
    if (isSummary(request)) return summaries
    return isReview(request) ? scriptedProvider([{ json: judgement(request, called) }]) : script
  }
  const scripted: Provider = {
    ...script,
    generate: (request) => of(request).generate(request),
    stream: (request) => of(request).stream(request),
  }
  const provider = given === undefined ? scripted : given === "none" ? undefined : given
  const { pipeline } = yield* load(path, {
    plugins: {
      "@planloom/stages": async () => (await import("@planloom/stages")).default,
      "@planloom/retrieval": async () => (await import("@planloom/retrieval")).default,
      "@planloom/hooks": async () => (await import("@planloom/hooks")).default,
      "@planloom/shadow": async () => (await import("@planloom/shadow")).default,
      "@planloom/subagents": async () => (await import("@planloom/subagents")).default,
      "@planloom/validators": async () => (await import("@planloom/validators")).default,
      "@planloom/provider-anthropic": async () =>
        (await import("@planloom/provider-anthropic")).default,
    },
    roots: [root, folder],
    secret: () => undefined,
    ...(provider === undefined
      ? {}
      : {
          extraPlugins: [
            definePlugin({
              id: "model",
              summary: "Replies.",
              components: { providers: [provider] },
            }),
          ],
          modelsOverride: [`${provider.id}/one`],
        }),
  })
  const sessions = memorySessions()
  const say = (turn: Turn | string): Effect.Effect<Said, InputsRejected> =>
    Effect.gen(function* () {
      const {
        approves = true,
        message,
        replies = [],
        user = ana,
      } = typeof turn === "string" ? { message: turn } : turn
      script = scriptedProvider(replies)
      called = replies.flatMap(({ tool_calls: made = [] }) => made.map(({ name }) => name))
      const events: Array<RunEvent> = []
      const approvals: Array<string> = []
      const result = yield* run(
        pipeline,
        { message },
        {
          user,
          session: "s",
          sessions,
          onEvent: (event) => void events.push(event),
          answer: (wait) => {
            approvals.push(wait.message)
            return Effect.succeed({ approved: approves })
          },
        },
      ).pipe(Effect.catchTag("RunFailed", (failed) => Effect.succeed(failed.result)))
      if (given === undefined) script.assertExhausted()
      return {
        result,
        reply: String(result.outputs["reply"] ?? ""),
        events,
        requests: script.requests,
        tools: events.flatMap((event) =>
          event.type === "ToolCalled" && event.stage === "reply" && event.refused !== true
            ? [event.tool]
            : [],
        ),
        approvals,
      }
    })
  /** Rows of the service's database. */
  const rows = (sql: string): ReadonlyArray<JsonObject> => {
    const database = new DatabaseSync(file)
    try {
      return database
        .prepare(sql)
        .all()
        .map((row) => ({ ...row }) as JsonObject)
    } finally {
      database.close()
    }
  }
  return { pipeline, say, sessions, rows, transfers: () => rows("SELECT * FROM transfers").length }
})

export const systemOf = ({ requests }: Said): string =>
  (requests[0]?.system ?? []).map(({ text }) => text).join("\n\n")
