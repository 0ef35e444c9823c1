/** Global flags that allow or exclude code of the folder. */
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as Effect from "effect/Effect"
import { usage } from "../Refused.ts"
import type { TrustChoice } from "./TrustChoice.ts"

const off = (name: string, description: string) =>
  Flag.Boolean(name).pipe(
    Flag.withDescription(description),
    Flag.withDefault(false),
    Flag.withoutNegation,
  )

const trust = GlobalFlag.Setting("trust")({
  flag: off(
    "trust",
    "Run the code of plugins in this folder without asking, for this command only: for CI and servers",
  ),
})

const noPlugins = GlobalFlag.Setting("no-plugins")({
  flag: off(
    "no-plugins",
    "Load only the plugins that come with planloom; parts that depend on other plugins are not checked",
  ),
})

export const trustFlags = [trust, noPlugins] as const

export const chosenTrust = Effect.gen(function* () {
  const isTrusted = yield* trust
  const isWithout = yield* noPlugins
  if (isTrusted && isWithout) return yield* usage("--trust and --no-plugins exclude each other")
  const choice: TrustChoice = isTrusted ? "trust" : isWithout ? "no-plugins" : "ask"
  return choice
})
