/** Reviews of `async`: they read a text that its user already has, and correct it. */
import * as Effect from "effect/Effect"
import type { Correction, Gate } from "@planloom/plugin/effect"
import { parseDuration } from "@planloom/plugin/duration"
import { withReplies } from "../queue/ReviewerReplies.ts"
import type { Panel, PanelMember } from "../review/Panel.ts"
import { isSampled, shareOf } from "../review/sampling.ts"
import { classes, type ShadowConfig } from "../ShadowConfig.ts"
import { severity, type Outcome } from "../verdict/Outcome.ts"
import type { SettledListener } from "./shadowGate.ts"
import { escalation } from "./escalation.ts"
import { WholeReview } from "./WholeReview.ts"

/** Milliseconds that reviews of a text may take after it has left. */
const ASYNC_TIMEOUT_MS = 30_000

export const reviewLaterMs = ({ async_timeout }: ShadowConfig): number =>
  parseDuration(async_timeout ?? "") ?? ASYNC_TIMEOUT_MS

/** `validators` of the gate read what the reviewers write. */
export const reviewLater = (
  panel: Panel,
  members: ReadonlyArray<PanelMember>,
  validators: ReadonlyArray<PanelMember>,
  onSettled: SettledListener,
): NonNullable<Gate["after"]> => {
  const { config } = panel
  const lenient = panel.withConfig(failuresAsFlags(config))
  const limit = reviewLaterMs(config)
  const limited = members.map((member) => within(member, limit))
  const share = shareOf(config.sample ?? "100%")
  return (text, about, context) => {
    if (!isSampled("sample", context.run, share)) return Effect.succeed(undefined)
    const { panel: watched, replies } = withReplies(lenient)
    const whole = new WholeReview({ panel: watched, members: limited, validators, about, context })
    return Effect.gen(function* () {
      const { outcome, text: passed } = yield* whole.of(text, false)
      const shown =
        passed ??
        (yield* escalation({
          panel: watched,
          members: [...validators, ...limited],
          about,
          context,
        }))
      yield* onSettled({ written: text, text: shown, outcome, replies }, about, context)
      return correctionOf(text, passed, shown, outcome)
    })
  }
}

/** A text that has left is not taken back because a reviewer is late or fails: that is for people to decide. */
const failuresAsFlags = (config: ShadowConfig): ShadowConfig => {
  const flags = Object.fromEntries(classes.map((name) => [name, "flag" as const]))
  return { ...config, on_timeout: flags, on_error: flags }
}

const within = (member: PanelMember, limit: number): PanelMember => {
  const own = member.timeout ?? parseDuration(member.facts.timeout ?? "") ?? limit
  return { ...member, timeout: Math.min(own, limit) }
}

const correctionOf = (
  given: string,
  passed: string | undefined,
  shown: string,
  { verdict }: Outcome,
): Correction | undefined => {
  if (passed === given) return undefined
  if (passed === undefined) return { action: "retract", text: shown }
  const start = `${given}\n\n`
  return severity(verdict) <= severity("enrich") && passed.startsWith(start)
    ? { action: "append", text: passed.slice(start.length) }
    : { action: "replace", text: passed }
}
