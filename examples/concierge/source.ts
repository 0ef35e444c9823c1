/** The tool source: lists the tools and runs them on the database. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import {
  ToolFailed,
  type JsonObject,
  type ToolPreview,
  type ToolSource,
} from "@planloom/plugin/effect"
import { ConciergeFailed } from "./ConciergeFailed.ts"
import type { Call, ConciergeTool } from "./ConciergeTool.ts"
import type { Database } from "./Database.ts"
import { add_recipient } from "./tools/add_recipient.ts"
import { create_quote } from "./tools/create_quote.ts"
import { create_transfer } from "./tools/create_transfer.ts"
import { credit_status } from "./tools/credit_status.ts"
import { get_exchange_rate } from "./tools/get_exchange_rate.ts"
import { hand_over_to_person } from "./tools/hand_over_to_person.ts"
import { list_promotions } from "./tools/list_promotions.ts"
import { list_recipients } from "./tools/list_recipients.ts"
import { open_ticket } from "./tools/open_ticket.ts"
import { request_limit_increase } from "./tools/request_limit_increase.ts"
import { transfer_status } from "./tools/transfer_status.ts"

const all = [
  get_exchange_rate,
  create_quote,
  create_transfer,
  transfer_status,
  list_recipients,
  add_recipient,
  list_promotions,
  credit_status,
  request_limit_increase,
  open_ticket,
  hand_over_to_person,
]

export const tools = all.map(({ tool }) => tool)

/** `database` opens the file when the first call needs it. */
export const sourceOf = (database: () => Database): ToolSource => {
  const byName = new Map(all.map((one) => [one.tool.name, one]))
  const answered = (
    given: ToolPreview,
    part: "run" | "preview",
  ): Effect.Effect<JsonObject, ToolFailed> => {
    const { params, tool } = given
    const refused = (kind: ToolFailed["class"], message: string) =>
      new ToolFailed({ tool, class: kind, message })
    const found: ConciergeTool[typeof part] = byName.get(tool)?.[part]
    if (found === undefined) {
      return Effect.fail(refused("invalid_request", `there is no tool ${tool} to ${part}`))
    }
    return Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.suspend(() => {
        const call = callOf(given, database(), now)
        try {
          return Effect.succeed(found(params as never, call))
        } catch (error) {
          if (!(error instanceof ConciergeFailed)) throw error
          return Effect.fail(refused(error.class, error.sentence[call.language]))
        }
      }),
    )
  }
  return {
    id: "concierge",
    summary: "A remittance service: rates, quotes, transfers, recipients, credit, support.",
    list: Effect.succeed({ tools }),
    call: (invocation) => Effect.map(answered(invocation, "run"), (value) => ({ value })),
    preview: (given) => answered(given, "preview"),
  }
}

const callOf = ({ key, language, user }: ToolPreview, database: Database, now: number): Call => ({
  database,
  customer: String(user["id"] ?? ""),
  language: language?.startsWith("es") === true ? "es" : "en",
  now,
  key,
})
