/** Reads the arguments of tool calls that are not JSON objects as the model wrote them. */
import * as Effect from "effect/Effect"
import type * as Salvage from "@planloom/salvage"
import type { Json, JsonObject, ToolCall } from "@planloom/plugin/effect"
import { loadedOnce } from "@planloom/plugin/late"
import { isObject, isTooDeep, repeatsNames, TOO_DEEP } from "@planloom/schema"

/** Repairs that leave one meaning and no text aside. Any other call goes back to the model: a tool may write. */
const certain: ReadonlySet<Salvage.RepairKind> = new Set<Salvage.RepairKind>([
  "comment",
  "control_character",
  "escaped_quotes",
  "extra_comma",
  "fence",
  "other_literal",
  "other_quotes",
  "unquoted_key",
])

/** Characters. Longer arguments are not repaired. */
const MAX_WRITTEN = 256 * 1024

/** Characters of unreadable arguments that a model is shown. */
const MAX_SHOWN = 200

/** Loaded with the first call whose arguments are not a JSON object. */
const salvageModule = loadedOnce(() => import("@planloom/salvage"))

/** Whether the arguments of all are objects, so that none has to be read. */
export const areRead = (calls: ReadonlyArray<ToolCall>): boolean => calls.every(isRead)

/** The calls with those that can be read, and the reason for any other. */
export const readCalls = (calls: ReadonlyArray<ToolCall>): Effect.Effect<ReadonlyArray<ToolCall>> =>
  Effect.mapEager(salvageModule(), ({ parse }) =>
    calls.map((call) => (isRead(call) ? call : readCall(call, parse))),
  )

const isRead = ({ arguments: given, written }: ToolCall): boolean =>
  written === undefined && isObject(given) && !isTooDeep(given)

const readCall = (call: ToolCall, parse: typeof Salvage.parse): ToolCall => {
  if (isTooDeep(call.arguments)) return { ...call, arguments: {}, written: "", unread: deepText }
  const written = call.written ?? textOf(call.arguments)
  const given = objectIn(written, parse)
  return given === undefined
    ? {
        ...call,
        arguments: {},
        written,
        unread: isTooDeep(jsonIn(written)) ? deepText : shown(written),
      }
    : { ...call, arguments: given, written }
}

const deepText = `JSON that ${TOO_DEEP}`

/** Providers in plain JavaScript are not type-checked. */
const textOf = (given: unknown): string =>
  typeof given === "string" ? given : (JSON.stringify(given) ?? "")

const objectIn = (written: string, parse: typeof Salvage.parse): JsonObject | undefined => {
  if (written.length > MAX_WRITTEN) return undefined
  const value = jsonIn(written)
  // JSON in JSON; the text inside need not be JSON either.
  if (typeof value === "string") return objectIn(value, parse)
  if (value !== undefined) {
    if (isTooDeep(value)) return undefined
    return isObject(value) && !repeatsNames(written, value) ? (value as JsonObject) : undefined
  }
  const read = parse(written, { type: "object" }, { lossy: "refuse" })
  return read.ok &&
    // The parser leaves out an unmatched closer without a repair.
    read.repairs.length > 0 &&
    read.repairs.every(({ kind }) => certain.has(kind)) &&
    isObject(read.value)
    ? (read.value as JsonObject)
    : undefined
}

const jsonIn = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

const shown = (written: string): string =>
  written.length > MAX_SHOWN ? `${written.slice(0, MAX_SHOWN)}…` : written
