/** Failures of a run that cannot be a turn of its session. */
import { StageFailed } from "@planloom/plugin/effect"
import type { Pipeline } from "../../pipeline/Pipeline.ts"

export const undeclared = ({ name }: Pipeline) =>
  new StageFailed({
    class: "invalid_request",
    message: `the workflow "${name}" keeps no session; say what a turn keeps: session: { request: …, assistant: … }`,
  })

export const nowhere = (session: string) =>
  new StageFailed({
    class: "invalid_request",
    message: `the session "${session}" cannot be kept: the run has no store`,
  })

export const stillOpen = (session: string, run: string) =>
  new StageFailed({
    class: "conflict",
    message: `the session "${session}" waits for an answer to its run ${run}: answer it, or cancel that run`,
    detail: { session, run },
  })

export const overtaken = (
  session: string,
  { run, version }: { readonly run: string | null; readonly version: number },
) =>
  new StageFailed({
    class: "conflict",
    message:
      run === null
        ? `the session "${session}" has been cleared since this run started; nothing of this turn is kept in it`
        : `the session "${session}" has changed since this run started: the run ${run} came first; send the message again to continue from there`,
    detail: { session, version, run },
  })
