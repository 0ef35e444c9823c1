/** Folds the older turns of a session into its summary, by a model or without one. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Json, JsonObject, SessionTurn } from "@planloom/plugin/effect"
import type { PipelineSession } from "../../pipeline/Pipeline.ts"
import { FOLDING, SUMMARY_STAGE } from "../../pipeline/compile/summaryStage.ts"
import type { Frame } from "../Frame.ts"
import { runBlock } from "../schedule/runBlock.ts"
import { nested } from "../runWorkflow.ts"
import type { RunScope } from "../RunScope.ts"
import { failureIn } from "../stage/failureIn.ts"
import { mechanicalSummary } from "./mechanicalSummary.ts"

/** The turns of a session and the summary of those before. */
export interface History {
  readonly summary: string
  readonly turns: ReadonlyArray<SessionTurn>
}

/** The history after a turn. A model that fails leaves the summary to the rules, with a note. */
export const foldTurns = (
  { summary, turns }: History,
  { compact, window }: Pick<PipelineSession, "compact" | "window">,
  frame: Frame,
): Effect.Effect<History> => {
  const recent = window === 0 ? [] : turns.slice(-window)
  if (compact === undefined) return Effect.succeed({ summary, turns: recent })
  if (turns.length <= compact.after) return Effect.succeed({ summary, turns })
  const older = turns.slice(0, -window)
  const byRules = () => mechanicalSummary(summary, older, compact.maxTokens)
  const folded = (text: string, by: "model" | "mechanical"): History => {
    const count = older.length === 1 ? "1 older turn" : `${older.length} older turns`
    note(frame, "session_compacted", { turns: older.length, by }, `summarized ${count}`)
    return { summary: text, turns: recent }
  }
  if (compact.block === undefined) return Effect.sync(() => folded(byRules(), "mechanical"))
  const scope: RunScope = {
    ...frame.scope,
    stages: {},
    [FOLDING]: { summary, turns: older as unknown as Json },
  }
  return Effect.flatMap(
    Effect.exit(runBlock(compact.block, { ...frame, scope }, nested)),
    (exit): Effect.Effect<History> => {
      if (Exit.isSuccess(exit)) {
        const view = scope.stages[SUMMARY_STAGE]
        return Effect.succeed(
          folded(view?.outcome === "success" ? String(view.output) : byRules(), "model"),
        )
      }
      const failure = failureIn(exit.cause)
      // An interruption or a failure of the store ends the run.
      if (failure === undefined || failure.class === "store") return exit as Exit.Exit<never>
      const data = { class: failure.class, message: failure.message }
      note(frame, "session_summary_failed", data, `no summary by the model: ${failure.message}`)
      return Effect.succeed(folded(byRules(), "mechanical"))
    },
  )
}

const note = ({ state }: Frame, name: string, data: JsonObject, text: string): void =>
  state.emit({
    type: "Noted",
    path: SUMMARY_STAGE,
    stage: SUMMARY_STAGE,
    note: name,
    data,
    audience: "operator",
    text,
  })
