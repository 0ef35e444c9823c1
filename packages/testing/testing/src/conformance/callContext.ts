/** The contexts in which suites call hooks and gates. */
import * as Effect from "effect/Effect"
import type { CallContext, Collection, GateContext } from "@planloom/plugin/effect"
import { textGiver } from "@planloom/plugin/texts"

export const callContext = (
  given: Partial<CallContext> & Pick<CallContext, "with">,
): CallContext => ({
  run: "conformance",
  path: "probe",
  stage: "probe",
  user: {},
  calls: [],
  now: 0,
  note: () => Effect.void,
  step: (_, effect) => effect,
  collection: () => emptyCollection,
  variant: () => undefined,
  files: () => [],
  text: textGiver({}, undefined),
  ...given,
})

/** Reviews of it pass. */
export const gateContext = (given: Partial<GateContext>): GateContext => ({
  ...callContext({ ...given, with: {} }),
  review: (use) =>
    Effect.succeed({
      reviewer: typeof use === "string" ? use : use.use,
      ms: 0,
      cause: "verdict",
      finding: { verdict: "pass", confidence: 1, reason: "not reviewed" },
    }),
  report: () => Effect.void,
  pending: () => undefined,
  done: () => undefined,
  hidePersonal: (text) => text,
  ...given,
})

const emptyCollection: Collection = {
  get: () => Effect.succeed(undefined),
  put: (key, value) => Effect.succeed({ ok: true, entry: { key, value, version: 1, at: 0 } }),
  remove: () => Effect.void,
  list: () => Effect.succeed([]),
  claim: () => Effect.succeed(undefined),
}
