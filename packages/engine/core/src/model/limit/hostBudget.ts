/** Calls within the budget of a host: a call that it refuses does not count in the budgets of the run. */
import * as Effect from "effect/Effect"
import type {
  BudgetedCall,
  BudgetLedger,
  CallAccount,
  CallSize,
  ModelFailed,
  ToolFailed,
} from "@planloom/plugin/effect"
import { inRun } from "@planloom/plugin/segments"
import type { CallSite } from "../CallSite.ts"

/** `name`: of the call within the run. */
export const modelCallWithin = <A>(
  shared: BudgetLedger,
  { budgets, run }: CallSite,
  name: string,
  planned: Omit<BudgetedCall, "id">,
  call: (account: CallAccount) => Effect.Effect<A, ModelFailed>,
): Effect.Effect<A, ModelFailed> =>
  Effect.suspend(() => {
    let isAdmitted = false
    const made = shared.modelCall({ ...planned, id: inRun(run, name) }, (account) => {
      isAdmitted = true
      return call(account)
    })
    return Effect.onExitPrimitive(made, () => {
      if (!isAdmitted) for (const ledger of budgets) ledger.uncountModelCall()
      return undefined
    })
  })

/** One more request of such a call; `own` counts it in the budgets of the run. */
export const againWithin = (
  host: CallAccount,
  { budgets, shared }: CallSite,
  own: Effect.Effect<void, ModelFailed>,
  most: CallSize | undefined,
): Effect.Effect<void, ModelFailed> =>
  Effect.andThen(
    own,
    Effect.tapError(host.again(shared?.measures === true ? most : undefined), () =>
      Effect.sync(() => {
        for (const ledger of budgets) ledger.uncountModelCall()
      }),
    ),
  )

/** Counts a tool call. */
export const toolCallWithin = (
  shared: BudgetLedger,
  { budgets, run }: CallSite,
  name: string,
  tool: string,
): Effect.Effect<void, ToolFailed> =>
  Effect.tapError(shared.toolCall({ id: inRun(run, name), tool }), () =>
    Effect.sync(() => {
      for (const ledger of budgets) ledger.spent.toolCalls--
    }),
  )
