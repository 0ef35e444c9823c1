/** Asks a model for JSON of a schema: accepts a valid reply, salvages it, asks the model to correct it once, or fails. */
import * as Effect from "effect/Effect"
import {
  ModelFailed,
  toFailureRecord,
  type Ask,
  type Json,
  type JsonSchema,
  type Message,
  type ModelReply,
  type ReplyRepair,
  type RunEvent,
  type Untimed,
} from "@planloom/plugin/effect"
import { rejectionOf } from "@planloom/schema"
import { issueLine, readReply, type ReplyIssue } from "./readReply.ts"
import { emitReasoning, noteMissingReasoning, type ReplySite } from "./ReplySite.ts"

export interface JsonQuestion {
  readonly site: ReplySite
  readonly ask: Ask
  readonly output: { readonly name: string; readonly schema: JsonSchema }
  /** Whether a reply that cannot be used may be sent back once. */
  readonly repair: boolean
  /** One recorded, budgeted call; the second asks `of`, the model whose reply is corrected. */
  readonly call: (ask: Ask, of?: string) => Effect.Effect<ModelReply, ModelFailed>
  /** Whether the last call asked for reasoning in tags. */
  readonly asksReasoning?: () => boolean
}

type Rung = "direct" | "salvaged" | "repaired" | "failed"

/**
 * Fails with class `invalid_output` and { reply, issues, reasoning } in `detail`. Makes its first call when this is called,
 * not when the effect runs: suspend it.
 */
export const askJson = (question: JsonQuestion): Effect.Effect<Json, ModelFailed> => {
  const { ask, call, output, site } = question
  const rejection = rejectionOf(output.schema)
  if (rejection !== undefined) {
    const { message } = rejection
    return Effect.fail(new ModelFailed({ class: "invalid_request", model: "", message }))
  }
  return Effect.flatMap(call(ask), (reply) =>
    Effect.flatMapEager(readReply(reply, output.schema), (read) => {
      noteReasoning(question, reply, read)
      if (read.ok) {
        emitReplyRead(site, reply.model, read.rung, read.repairs)
        noteFilled(site, reply.model, read.repairs)
        return Effect.succeed(read.value)
      }
      return question.repair && !read.hopeless
        ? askAgain(question, reply, read)
        : failed(question, reply, read)
    }),
  )
}

interface Unusable {
  readonly issues: ReadonlyArray<ReplyIssue>
  readonly reasoning: string
}

/** Asks for a correction once; when that call fails, the first reply is the failure. */
const askAgain = (
  question: JsonQuestion,
  reply: ModelReply,
  unusable: Unusable,
): Effect.Effect<Json, ModelFailed> => {
  const { ask, call, output, site } = question
  const again: Ask = {
    ...ask,
    temperature: 0,
    messages: [...ask.messages, ...correctionRequest(reply.text, unusable.issues)],
  }
  return Effect.matchEffect(call(again, reply.model), {
    onFailure: (repairFailed) => failed(question, reply, unusable, { repairFailed }),
    onSuccess: (second) =>
      Effect.flatMapEager(readReply(second, output.schema), (read) => {
        noteReasoning(question, second, read)
        if (!read.ok) return failed(question, second, read, { earlier: unusable })
        emitReplyRead(site, second.model, "repaired", read.repairs, unusable.issues)
        noteFilled(site, second.model, read.repairs)
        return Effect.succeed(read.value)
      }),
  })
}

/** Issues that a request for a correction names, and characters of each: a dry run counts with the longest request. */
const MOST_ISSUES = 8
const ISSUE_CHARACTERS = 160

const correctionRequest = (
  text: string,
  issues: ReadonlyArray<ReplyIssue>,
): ReadonlyArray<Message> => [
  // Services refuse an empty turn.
  ...(text.trim() === "" ? [] : [{ role: "assistant", content: text } as const]),
  {
    role: "user",
    content: [
      "Your reply cannot be used:",
      ...issues
        .slice(0, MOST_ISSUES)
        .map((issue) => `- ${issueLine(issue).slice(0, ISSUE_CHARACTERS)}${placeOf(issue)}`),
      "Give the whole reply again with these errors fixed and nothing else changed, as JSON only.",
    ].join("\n"),
  },
]

const placeOf = ({ column, line }: ReplyIssue): string =>
  line === undefined ? "" : ` (line ${line}, column ${column})`

const failed = (
  { output, site }: JsonQuestion,
  reply: ModelReply,
  { issues, reasoning }: Unusable,
  {
    earlier,
    repairFailed,
  }: { readonly earlier?: Unusable; readonly repairFailed?: ModelFailed } = {},
): Effect.Effect<never, ModelFailed> => {
  emitReplyRead(site, reply.model, "failed", [], issues)
  return Effect.fail(
    new ModelFailed({
      class: "invalid_output",
      model: reply.model,
      message: `the reply does not fit "${output.name}": ${issues.map(issueLine).join("; ")}`,
      detail: {
        reply: reply.text,
        issues: issues.map((issue) => ({ ...issue })),
        ...(reasoning === "" ? {} : { reasoning }),
        ...(earlier === undefined ? {} : { earlier: attemptOf(earlier) }),
        ...(repairFailed === undefined
          ? {}
          : { repair: toFailureRecord(repairFailed) as unknown as Json }),
      },
    }),
  )
}

/** The reply that was sent back. */
const attemptOf = ({ issues, reasoning }: Unusable): Json => ({
  issues: issues.map((issue) => ({ ...issue })),
  ...(reasoning === "" ? {} : { reasoning }),
})

const noteReasoning = (
  { asksReasoning, site }: JsonQuestion,
  { model }: ModelReply,
  { reasoning }: Pick<Unusable, "reasoning">,
): void => {
  emitReasoning(site, model, reasoning)
  if (reasoning === "" && asksReasoning?.() === true) noteMissingReasoning(site, model)
}

/** Notes the members that the reply lacked. */
const noteFilled = (site: ReplySite, model: string, repairs: ReadonlyArray<ReplyRepair>): void => {
  if (repairs.length === 0) return
  const members = repairs.flatMap(({ detail = "", kind, path }) =>
    kind === "filled" ? [`${path}/${detail}`] : [],
  )
  if (members.length === 0) return
  const { path, stage } = site
  site.emit({
    type: "Noted",
    path,
    stage,
    note: "filled_reply",
    data: { model, members },
    audience: "operator",
    text: `the reply lacks ${members.join(", ")}, which has its default now`,
  })
}

type ReplyRead = Untimed<Extract<RunEvent, { readonly type: "ReplyRead" }>>

/** Members that the event may lack are assigned: each conditional spread would copy it. */
const emitReplyRead = (
  site: ReplySite,
  model: string,
  rung: Rung,
  repairs: ReadonlyArray<ReplyRepair>,
  issues: ReadonlyArray<ReplyIssue> = [],
): void => {
  const { path, stage } = site
  const event: { -readonly [K in keyof ReplyRead]: ReplyRead[K] } & {
    seq?: number
    at?: number
  } = {
    type: "ReplyRead",
    seq: 0,
    at: 0,
    path,
    stage,
    model,
    rung,
  }
  if (repairs.length > 0) event.repairs = repairs
  if (issues.length > 0) event.issues = issues.map(issueLine)
  site.emit(event)
}
