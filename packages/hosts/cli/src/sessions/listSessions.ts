/** Implements `planloom sessions list`: prints sessions, the most recently used first. */
import type { SessionRecord } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { timeText } from "../runs/listRuns.ts"
import { withRuns } from "../runs/withRuns.ts"
import { print, say, stderr, stdout, textWidth } from "../terminal/Screen.ts"
import { table } from "../terminal/table.ts"
import { oneLine } from "../terminal/text.ts"

export const listSessions: Handler<{ readonly limit: number; readonly json: boolean }> = ({
  json,
  limit,
}) =>
  withRuns((store) =>
    Effect.map(store.sessions.list({ limit }), (found): ExitName => {
      if (json) print(JSON.stringify(found, null, 2))
      else if (found.length === 0) say(stderr.style.dim("no sessions found"))
      else print(sessionsText(found))
      return "ok"
    }),
  )

const sessionsText = (found: ReadonlyArray<SessionRecord>): string => {
  const { style } = stdout
  return table(
    [
      { head: "session", align: "left", paint: style.name },
      { head: "workflow", align: "left" },
      { head: "turns", align: "right" },
      { head: "last turn", align: "left" },
      { head: "last message", align: "left" },
    ],
    found.map(({ session, turns, updatedAt, version, workflow }) => [
      oneLine(session),
      oneLine(workflow),
      String(version),
      timeText(updatedAt),
      oneLine(turns.at(-1)?.user ?? ""),
    ]),
    textWidth(stdout),
    style.dim,
  ).join("\n")
}
