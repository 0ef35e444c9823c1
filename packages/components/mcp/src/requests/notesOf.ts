/** A server's output during a call beside its answer, its log and lines that are not messages → notes of the run, a limited number. */
import type { Effect } from "effect/Effect"
import type { ToolInvocation } from "@planloom/plugin/effect"
import { cleanLine } from "@planloom/plugin/clean"
import type { ActiveCall } from "../connection/ActiveCall.ts"
import type { Server } from "../servers/Server.ts"

const MAX_NOTES = 50
const MAX_CHARS = 500

type Run = <A, E>(work: Effect<A, E>) => Promise<A>

export const notesOf = (
  { note, tool }: ToolInvocation,
  { name }: Server,
  run: Run,
): ActiveCall["said"] => {
  let count = 0
  return (said) => {
    if (++count > MAX_NOTES) return
    const text = cleanLine(said.text, MAX_CHARS)
    const level = said.kind === "log" ? said.level : "warning"
    void run(
      note(
        said.kind === "noise" ? "mcp/noise" : "mcp/log",
        { server: name, tool, level, text },
        `the server "${name}" ${said.kind === "noise" ? "wrote" : "logs"} ${text}`,
      ),
    ).catch(() => {})
  }
}
