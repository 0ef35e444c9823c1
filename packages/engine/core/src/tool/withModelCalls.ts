/** Keeps what the model of a tool's call emitted beside that call, so that a replay of the call counts it again. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type {
  Json,
  ModelClient,
  RunEvent,
  Spent,
  ToolFailed,
  Untimed,
} from "@planloom/plugin/effect"
import { isMadeCall } from "@planloom/plugin/facts"
import { requestsOf } from "@planloom/plugin/facts"
import { below } from "@planloom/plugin/segments"
import type { CallSite } from "../model/CallSite.ts"
import { addSpent } from "../model/limit/Ledger.ts"
import type { Making } from "./Making.ts"
import type { ToolModel, ToolSite } from "./ToolCallRequest.ts"

type Call = Effect.Effect<Json, ToolFailed>

/** The record of a tool's call of this name; `live` makes it with the model that it asks for. */
export const withModelCalls = (
  {
    making,
    name,
    site,
  }: { readonly site: ToolSite; readonly name: string; readonly making: Making | undefined },
  live: (model: () => ModelClient | undefined) => Call,
  record: (call: Call) => Call,
): Call => {
  let model: ToolModel | undefined
  const call = live(() => (model ??= site.modelAt(name))?.client)
  if (!site.records) return record(call)
  let isLive = false
  const made = Effect.suspend(() => {
    isLive = true
    if (making !== undefined) making.isLive = true
    return Effect.onExitPrimitive(call, (exit) =>
      Exit.hasInterrupts(exit) ? undefined : model?.keep(),
    )
  })
  return Effect.onExitPrimitive(record(made), () => (isLive ? undefined : replayed(site, name)))
}

/** Name of the record of the events. */
export const eventsOf = (name: string): string => below(name, "events", 1)

const replayed = (site: CallSite, name: string): Effect.Effect<void> =>
  Effect.map(site.lookup(eventsOf(name)), (known) => {
    if (known?.ok !== true) return
    const events = known.value as unknown as ReadonlyArray<Untimed<RunEvent>>
    const spent = spentBy(events)
    for (const ledger of site.budgets) addSpent(spent, ledger)
    site.shared?.spentBefore(spent)
    for (const event of events) site.emit({ ...event })
  })

const spentBy = (events: ReadonlyArray<Untimed<RunEvent>>): Spent => {
  const spent = { tokens: 0, cost: 0, toolCalls: 0, modelCalls: 0 }
  for (const event of events) {
    if (event.type === "ToolCalled" && isMadeCall(event)) spent.toolCalls++
    if (event.type !== "ModelCalled") continue
    const { cost = 0, usage } = event
    spent.tokens += usage.input + usage.output
    spent.cost += cost
    spent.modelCalls += requestsOf(event)
  }
  return spent
}
