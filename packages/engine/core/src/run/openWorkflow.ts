/** A checked workflow → one that may run, with the modules of the engine that its runs use. */
import * as Effect from "effect/Effect"
import type { CheckedWorkflow } from "@planloom/language"
import { compileWorkflow, type LoadedWorkflow } from "../pipeline/compile/compileWorkflow.ts"
import { loadModules } from "./lateModules.ts"

/** Total: a workflow without errors compiles. One that is only checked loads nothing for runs. */
export const openWorkflow = (
  checked: CheckedWorkflow,
  purpose: "check" | "load",
): Effect.Effect<LoadedWorkflow> => {
  const loaded = compileWorkflow(checked)
  return purpose === "check"
    ? Effect.succeed(loaded)
    : Effect.as(loadModules(loaded.pipeline), loaded)
}
