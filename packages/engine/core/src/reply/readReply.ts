/** Parses and validates JSON in a model's reply: returns the value and its repairs, or the exact issues. */
import * as Effect from "effect/Effect"
import type * as Salvage from "@planloom/salvage"
import {
  isCut,
  type Json,
  type JsonSchema,
  type ModelReply,
  type ReplyRepair,
} from "@planloom/plugin/effect"
import { loadedOnce } from "@planloom/plugin/late"
import { isTooDeep, mayRepeatNames } from "@planloom/schema"
import { validatorOf } from "@planloom/schema/ajv"
import { cutText } from "./completeReply.ts"
import { outerReasoning } from "./text/outerReasoning.ts"

export interface ReplyIssue {
  /** JSON Pointer of the value that does not fit. */
  readonly path: string
  readonly message: string
  /** Where in the reply, line and column from 1; absent where only the value is at fault. */
  readonly line?: number
  readonly column?: number
}

export type ReadReply =
  | {
      readonly ok: true
      readonly value: Json
      readonly rung: "direct" | "salvaged"
      readonly repairs: ReadonlyArray<ReplyRepair>
      readonly reasoning: string
    }
  | {
      readonly ok: false
      readonly issues: ReadonlyArray<ReplyIssue>
      readonly reasoning: string
      /** The reply was cut off or refused, so that a correction call cannot help. */
      readonly hopeless: boolean
    }

/** Maximum number of reported issues per reply. */
const MOST_REPAIRS = 50

/** Characters. A longer reply that is not JSON is not repaired: that would hold the thread for seconds. */
const MAX_SALVAGED = 1024 * 1024

/**
 * Accepts JSON that is valid as received, with or without reasoning in tags around it; everything else goes through the
 * salvage parser, loaded on demand. So does every reply of a schema with a `default`, which fills a missing member.
 */
export const readReply = (reply: ModelReply, schema: JsonSchema): Effect.Effect<ReadReply> => {
  const read = hasDefaults(schema)
    ? undefined
    : (direct(reply, schema) ?? directBeside(reply, schema))
  if (read !== undefined) return Effect.succeed(read)
  return reply.text.length > MAX_SALVAGED
    ? Effect.succeed(tooLong(reply))
    : Effect.mapEager(salvageModule(), ({ parse }) => salvaged(parse, reply, schema))
}

const known = new WeakMap<object, boolean>()

const hasDefaults = (schema: JsonSchema): boolean => {
  if (typeof schema === "boolean") return false
  let has = known.get(schema)
  if (has === undefined) {
    has = JSON.stringify(schema).includes('"default":')
    known.set(schema, has)
  }
  return has
}

/** The value beside whole blocks of reasoning. */
const directBeside = (reply: ModelReply, schema: JsonSchema): ReadReply | undefined => {
  const split = outerReasoning(reply.text)
  if (split === undefined) return undefined
  const reasoning = joined(reply.reasoning, split.reasoning)
  return direct({ ...reply, text: split.text, reasoning }, schema)
}

const joined = (...parts: ReadonlyArray<string>): string =>
  parts.filter((part) => part !== "").join("\n\n")

const tooLong = ({ reasoning, text }: ModelReply): ReadReply => ({
  ok: false,
  issues: [
    {
      path: "",
      message: `has ${text.length} characters and is not JSON of the shape asked for; more than ${MAX_SALVAGED} are not repaired`,
    },
  ],
  reasoning,
  hopeless: true,
})

/** Loaded with the first reply that is not plain JSON of the shape asked for. */
const salvageModule = loadedOnce(() => import("@planloom/salvage"))

type Parse = typeof Salvage.parse

const direct = (
  { finish, reasoning, text }: ModelReply,
  schema: JsonSchema,
): ReadReply | undefined => {
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch {
    return undefined
  }
  // The salvage parser says where it is.
  if (isTooDeep(value)) return undefined
  // The digits of a number may have been cut off.
  if (isCut(finish) && typeof value === "number") return undefined
  // All but the last member of a name would be lost.
  if (mayRepeatNames(text, value)) return undefined
  return validatorOf(schema)(value).length === 0
    ? { ok: true, value, rung: "direct", repairs: [], reasoning }
    : undefined
}

const options = { lossy: "refuse", fill: "defaults" } as const

const salvaged = (parse: Parse, reply: ModelReply, schema: JsonSchema): ReadReply => {
  const beside = outerReasoning(reply.text)
  const first = beside && parse(beside.text, schema, options)
  // What looks like reasoning may be a part of the value.
  const result = first?.ok === true ? first : parse(reply.text, schema, options)
  const reasoning = joined(
    reply.reasoning,
    result === first ? beside!.reasoning : "",
    result.reasoning,
  )
  const cut = isCut(reply.finish)
  const refuse = (issues: ReadonlyArray<ReplyIssue>): ReadReply => ({
    ok: false,
    issues: cut ? [...issues, { path: "", message: cutText(reply) }] : issues,
    reasoning,
    hopeless: cut || reply.finish === "content_filter",
  })
  if (!result.ok) {
    return refuse(
      result.reasons.slice(0, MOST_REPAIRS).map(({ at, message, path }) => ({
        path: path ?? "",
        message: withoutSubject(message, path ?? ""),
        line: at.line,
        column: at.column,
      })),
    )
  }
  // What was cut off is missing, however well the rest fits.
  if (cut && typeof result.value === "number") return refuse([])
  const value = result.value as Json
  const issues = validatorOf(schema)(value)
  if (issues.length > 0) return refuse(issues)
  // A model that reasons before its answer has made no mistake.
  const repairs = result.repairs.filter(({ kind }) => kind !== "reasoning")
  return {
    ok: true,
    value,
    rung: repairs.length === 0 ? "direct" : "salvaged",
    repairs: repairs.slice(0, MOST_REPAIRS).map(({ detail, kind, path }) => ({
      kind,
      path,
      ...(detail === undefined ? {} : { detail }),
    })),
    reasoning,
  }
}

/** `/n must be …` and `the value must be …` are reported with the path instead. */
const withoutSubject = (message: string, path: string): string => {
  const subject = path === "" ? "the value " : `${path} `
  return message.startsWith(subject) ? message.slice(subject.length) : message
}

/** One line for people. */
export const issueLine = ({ message, path }: ReplyIssue): string =>
  path === ""
    ? /^(must|is|has|lacks|was) /.test(message)
      ? `it ${message}`
      : message
    : `${path} ${message}`
