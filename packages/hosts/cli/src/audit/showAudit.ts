/** Implements `planloom audit`: prints who did what, oldest first; with --json as lines, which is its export. */
import type { AuditAction, ListedEntry } from "@planloom/record/audit"
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { suggestion } from "../project/nearest.ts"
import { writeText } from "../project/writeText.ts"
import { problem, usage } from "../Refused.ts"
import { timeText } from "../runs/listRuns.ts"
import { timeFlag } from "../runs/timeFlags.ts"
import { withRuns } from "../runs/withRuns.ts"
import { print, say, stderr, stdout, textWidth } from "../terminal/Screen.ts"
import { table } from "../terminal/table.ts"
import { oneLine } from "../terminal/text.ts"

export interface AuditFlags {
  readonly since: string | undefined
  readonly action: string | undefined
  readonly out: string | undefined
  readonly json: boolean
}

export const showAudit: Handler<AuditFlags> = ({ action, json, out, since }) =>
  withRuns((store) =>
    Effect.gen(function* () {
      const { Audit, auditActions } = yield* Effect.promise(() => import("@planloom/record/audit"))
      if (action !== undefined && !Object.hasOwn(auditActions, action)) {
        const known = Object.keys(auditActions)
        return yield* usage(
          `unknown action "${action}"; there are ${known.join(", ")}`,
          suggestion(action, known),
        )
      }
      const audit = Audit.of(store)
      if (audit === undefined) {
        return yield* problem("the store of this project keeps no audit list")
      }
      const from = yield* timeFlag("--since", since, Date.now())
      const entries = yield* audit.list({
        limit: Infinity,
        ...(from === undefined ? {} : { since: from }),
        ...(action === undefined ? {} : { action: action as AuditAction }),
      })
      if (json || out !== undefined) {
        const lines = entries.map((entry) => JSON.stringify(entry)).join("\n")
        if (lines !== "") yield* writeText(out === undefined ? lines : `${lines}\n`, out)
      } else if (entries.length === 0) say(stderr.style.dim("the audit list is empty"))
      else print(auditText(entries))
      return "ok" as ExitName
    }),
  )

const auditText = (entries: ReadonlyArray<ListedEntry>): string => {
  const { style } = stdout
  return table(
    [
      { head: "at", align: "left" },
      { head: "action", align: "left", paint: style.name },
      { head: "by", align: "left" },
      { head: "via", align: "left" },
      { head: "about", align: "left" },
    ],
    entries.map(({ about, action, at, by = "", via }) => [
      timeText(at),
      action,
      oneLine(by),
      oneLine(via),
      oneLine(
        Object.entries(about)
          .map(
            ([name, value]) =>
              `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
          )
          .join(", "),
      ),
    ]),
    textWidth(stdout),
    style.dim,
  ).join("\n")
}
