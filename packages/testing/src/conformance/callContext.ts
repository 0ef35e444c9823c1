/** The context in which suites call hooks and gates. */
import * as Effect from "effect/Effect"
import type { CallContext, Collection } from "@planloom/plugin/effect"

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
  ...given,
})

const emptyCollection: Collection = {
  get: () => Effect.succeed(undefined),
  put: (key, value) => Effect.succeed({ ok: true, entry: { key, value, version: 1, at: 0 } }),
  remove: () => Effect.void,
  list: () => Effect.succeed([]),
  claim: () => Effect.succeed(undefined),
}
