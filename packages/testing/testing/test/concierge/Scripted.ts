/** A message of the scripted conversation: what the customer says, how the model answers, and what must follow. */
import type { JsonObject } from "@planloom/plugin/effect"
import type { ScriptedReply } from "../../src/file/WorkflowTest.ts"
import { ana, calls, type Turn } from "./concierge.ts"

export interface Scripted extends Turn {
  /** Who is in charge after the turn. */
  readonly agent: string
  readonly tools?: ReadonlyArray<string>
  /** Transfers in the database after the turn, where the number changes. */
  readonly transfers?: number
  /** What the reply has in it; the last text of the model unless given. */
  readonly says?: string
  readonly asksPerson?: true
  /** Reviewers of the reply with their verdicts, where one does not pass. */
  readonly reviews?: JsonObject
}

export const text = (said: string): ScriptedReply => ({ text: said })

/** The first hop hands over, the second one keeps the request. */
export const to = (agent: string): ReadonlyArray<ScriptedReply> => [
  calls("hand_over", { agent, reason: "The request is for it." }),
  calls("stay"),
]

export const inFlow = calls("start_flow", {
  flow: "send",
  reason: "The customer wants to send money.",
})
export const quote = (amount: number, currency = "MXN") =>
  calls("create_quote", { to_currency: currency, amount })
export const transfer = (given: string, recipient: string) =>
  calls("create_transfer", { quote: given, recipient })
export const inSpanish: JsonObject = { ...ana, language: "es" }
