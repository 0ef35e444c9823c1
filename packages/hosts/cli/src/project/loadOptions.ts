/** Converts `--set`, `--flag` and `--env` to the options of loading a workflow. */
import type { Json } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { LoadOptions } from "@planloom/language"
import type { ReadingFlags } from "../commands/options.ts"
import { usage, type Refused } from "../Refused.ts"
import { fileKinds } from "./fileKinds.ts"
import { pluginOptions } from "./pluginOptions.ts"

export const loadOptions = (given: ReadingFlags): Effect.Effect<LoadOptions, Refused> =>
  Effect.map(
    Effect.all([
      Effect.forEach(given.set, setting),
      Effect.forEach(given.flag, flagged),
      pluginOptions,
    ]),
    ([set, flags, plugins]): LoadOptions => ({
      ...plugins,
      kinds: fileKinds,
      ...(set.length === 0 ? {} : { set }),
      ...(flags.length === 0 ? {} : { flags: Object.fromEntries(flags) }),
      ...(given.files === undefined ? {} : { roots: given.files }),
      ...(given.env === undefined ? {} : { environment: given.env }),
    }),
  )

/** Parses `careful=true`. */
const flagged = (text: string) => {
  const equals = text.indexOf("=")
  return equals < 1
    ? Effect.fail(usage(`--flag expects name=value, not "${text}"`, "--flag careful=true"))
    : Effect.succeed([text.slice(0, equals), text.slice(equals + 1)] as const)
}

/** Parses `defaults.timeout=90s`, `policies.budget.tokens=5000`, `models.planner.try=["openai/gpt"]`. */
const setting = (text: string) => {
  const equals = text.indexOf("=")
  return equals < 1
    ? Effect.fail(usage(`--set expects path=value, not "${text}"`, "--set defaults.timeout=90s"))
    : Effect.succeed({ path: text.slice(0, equals), value: scalar(text.slice(equals + 1)) })
}

/** Parses JSON; other text is a string, as in YAML. */
const scalar = (text: string): Json => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
