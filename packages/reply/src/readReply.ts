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
import { mayRepeatNames } from "@planloom/schema"
import { validatorOf } from "@planloom/schema/ajv"
import { cutText } from "./completeReply.ts"

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

/** Accepts JSON that is valid as received; everything else goes through the salvage parser, loaded on demand. */
export const readReply = (reply: ModelReply, schema: JsonSchema): Effect.Effect<ReadReply> => {
  const read = direct(reply, schema)
  if (read !== undefined) return Effect.succeed(read)
  return reply.text.length > MAX_SALVAGED
    ? Effect.succeed(tooLong(reply))
    : Effect.mapEager(salvageModule(), ({ parse }) => salvaged(parse, reply, schema))
}

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
  // The digits of a number may have been cut off.
  if (isCut(finish) && typeof value === "number") return undefined
  // All but the last member of a name would be lost.
  if (mayRepeatNames(text, value)) return undefined
  return validatorOf(schema)(value).length === 0
    ? { ok: true, value, rung: "direct", repairs: [], reasoning }
    : undefined
}

const salvaged = (parse: Parse, reply: ModelReply, schema: JsonSchema): ReadReply => {
  const { text } = reply
  const result = parse(text, schema, { lossy: "refuse" })
  const reasoning = [reply.reasoning, result.reasoning].filter((part) => part !== "").join("\n\n")
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
  return {
    ok: true,
    value,
    rung: result.repairs.length === 0 ? "direct" : "salvaged",
    repairs: result.repairs.slice(0, MOST_REPAIRS).map(({ detail, kind, path }) => ({
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
