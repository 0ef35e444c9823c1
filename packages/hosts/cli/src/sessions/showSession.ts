/** Implements `planloom sessions show`: prints the state and turns of a session. */
import type { SessionRecord, SessionTurn } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { timeText } from "../runs/listRuns.ts"
import { withRuns } from "../runs/withRuns.ts"
import { print, stdout, textWidth } from "../terminal/Screen.ts"
import type { Style } from "../terminal/Style.ts"
import { definitions } from "../terminal/table.ts"
import { oneLine, visible, wrap } from "../terminal/text.ts"
import { sessionNamed } from "./sessionNamed.ts"

export const showSession: Handler<{ readonly id: string; readonly json: boolean }> = ({
  id,
  json,
}) =>
  withRuns((store) =>
    Effect.gen(function* () {
      const session = yield* sessionNamed(store, id)
      const waiting = yield* store.sessions.waiting(session.session)
      print(
        json
          ? JSON.stringify({ ...session, ...(waiting === undefined ? {} : { waiting }) }, null, 2)
          : sessionText(session, waiting),
      )
      return "ok" as ExitName
    }),
  )

const sessionText = (record: SessionRecord, waiting: string | undefined): string => {
  const {
    entities = [],
    session,
    state,
    summary = "",
    turns,
    updatedAt,
    version,
    workflow,
  } = record
  const kept = Object.entries(state)
  return [
    ...definitions(
      [
        ["session", [session]],
        ["workflow", [oneLine(workflow)]],
        ["turns", [String(version)]],
        ["last turn", [timeText(updatedAt)]],
        ...(waiting === undefined
          ? []
          : [["waiting", [`run ${waiting} waits for an answer`]] as const]),
        ...entities.map(
          ({ id, name, type }) => [type, [oneLine(name === id ? id : `${name} (${id})`)]] as const,
        ),
        ...kept.map(([name, value]) => [name, [oneLine(JSON.stringify(value))]] as const),
      ],
      "",
    ),
    ...(summary === "" ? [] : ["", ...wrap(visible(summary), textWidth(stdout))]),
    ...(turns.length === 0 ? [] : ["", ...turnsText(turns, stdout.style, textWidth(stdout))]),
  ].join("\n")
}

/** Formats turns, oldest first. */
export const turnsText = (
  turns: ReadonlyArray<SessionTurn>,
  style: Style,
  width: number,
): ReadonlyArray<string> =>
  turns.flatMap(({ assistant, user }) => [
    ...wrap(visible(user), width - 2).map((line, index) =>
      index === 0 ? `${style.name("›")} ${line}` : `  ${line}`,
    ),
    ...wrap(visible(assistant), width - 2).map((line) => `  ${line}`),
  ])
