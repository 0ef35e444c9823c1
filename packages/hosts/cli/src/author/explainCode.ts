/** Implements `planloom explain`: prints the description of a diagnostic code. */
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { entriesJson, entriesText } from "../list/Entry.ts"
import { suggestion } from "../project/nearest.ts"
import { usage } from "../Refused.ts"
import { print, stdout, textWidth } from "../terminal/Screen.ts"

export interface ExplainFlags {
  readonly code: string | undefined
  readonly json: boolean
}

export const explainCode: Handler<ExplainFlags> = ({ code, json }) =>
  Effect.gen(function* () {
    const { explain, rules } = yield* Effect.promise(() => import("@planloom/language"))
    if (code === undefined) {
      const entries = rules.map((rule) => ({
        id: rule.code,
        summary: rule.title,
        data: { slug: rule.slug, severity: rule.severity },
      }))
      print(json ? entriesJson(entries) : entriesText(entries, stdout.style, textWidth(stdout)))
      return "ok" as ExitName
    }
    const wanted = code.toUpperCase()
    const rule = rules.find((one) => one.code === wanted || one.slug === code)
    if (rule === undefined) {
      const known = rules.map((one) => one.code)
      return yield* usage(
        `there is no diagnostic ${code}`,
        /^PL\d+$/.test(wanted)
          ? suggestion(wanted, known)
          : "planloom explain lists all of them; a code looks like PL1201",
      )
    }
    const { check: _, ...facts } = rule
    print(json ? JSON.stringify(facts, null, 2) : explain(rule.code))
    return "ok" as ExitName
  })
