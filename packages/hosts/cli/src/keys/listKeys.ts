/** Implements `planloom keys list`: prints API keys, newest first. */
import type { ApiKey } from "@planloom/server"
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { timeText } from "../runs/listRuns.ts"
import { print, say, stderr, stdout, textWidth } from "../terminal/Screen.ts"
import { table } from "../terminal/table.ts"
import { oneLine } from "../terminal/text.ts"
import { readKeys, withKeys } from "./KeyFile.ts"

export const listKeys: Handler<{ readonly json: boolean }> = ({ json }) =>
  Effect.map(withKeys(readKeys), (keys): ExitName => {
    const newest = keys.toReversed().map(({ hash: _, ...key }) => key)
    if (json) print(JSON.stringify(newest, null, 2))
    else if (newest.length === 0) say(stderr.style.dim("no keys found"))
    else print(keysText(newest))
    return "ok"
  })

const keysText = (keys: ReadonlyArray<Omit<ApiKey, "hash">>): string => {
  const { style } = stdout
  return table(
    [
      { head: "id", align: "left", paint: style.name },
      { head: "name", align: "left" },
      { head: "scopes", align: "left" },
      { head: "workflows", align: "left" },
      { head: "created", align: "left" },
      { head: "expires", align: "left" },
    ],
    keys.map(({ createdAt, expiresAt, id, name, scopes, workflows }) => [
      id,
      oneLine(name),
      scopes.join(", "),
      oneLine(workflows?.join(", ") ?? "all"),
      timeText(createdAt),
      expiresAt === undefined
        ? ""
        : `${timeText(expiresAt)}${expiresAt <= Date.now() ? " (expired)" : ""}`,
    ]),
    textWidth(stdout),
    style.dim,
  ).join("\n")
}
