/** Implements `planloom doctor`: checks the machine and the project. */
import { readFile } from "node:fs/promises"
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { doing } from "../terminal/activity.ts"
import { print, stdout, textWidth } from "../terminal/Screen.ts"
import { pad, wrap } from "../terminal/text.ts"
import type { Finding } from "./Finding.ts"
import { ignoredFinding, nodeFinding, storeFinding } from "./machine.ts"
import { projectFindings } from "./project.ts"
import { storeFindings } from "./store.ts"

export interface DoctorFlags {
  readonly json: boolean
  readonly warm: boolean
}

export const examine: Handler<DoctorFlags> = (flags) =>
  Effect.gen(function* () {
    doing("examining the machine and the project")
    const machine = yield* Effect.promise(() =>
      Promise.all([
        nodeFinding(process.version),
        storeFinding(),
        ignoredFinding(readFile(".gitignore", "utf8").catch(() => undefined)),
      ]),
    )
    const findings = [...machine, ...(yield* storeFindings), ...(yield* projectFindings(flags))]
    print(flags.json ? JSON.stringify(findings, null, 2) : text(findings))
    return (findings.some(({ state }) => state === "error") ? "problems" : "ok") as ExitName
  })

const text = (findings: ReadonlyArray<Finding>): string => {
  const { style } = stdout
  const left = Math.min(40, Math.max(...findings.map(({ what }) => what.length)))
  const marks = { good: style.good("✓"), note: style.warn("!"), error: style.bad("✗") }
  return findings
    .flatMap(({ help, detail, state, what }) => {
      const [first = "", ...rest] = [
        detail,
        ...(help === undefined ? [] : [`help: ${help}`]),
      ].flatMap((line) => wrap(line, textWidth(stdout) - left - 4))
      return [
        `${marks[state]} ${style.bold(pad(what, left))}  ${first}`,
        ...rest.map((line) => `${" ".repeat(left + 4)}${style.dim(line)}`),
      ]
    })
    .join("\n")
}
