/** Facts on a reviewer: what a subagent and a validator have in common. */
import { verdicts } from "./Finding.ts"
import type { ReviewerFacts } from "./Reference.ts"
import type { Subagent, Validator } from "./Review.ts"

/** Reviewers by id. */
export interface Reviewers {
  readonly subagents: ReadonlyMap<string, Subagent>
  readonly validators: ReadonlyMap<string, Validator>
}

export const reviewerFacts = (
  id: string,
  { subagents, validators }: Reviewers,
): ReviewerFacts | undefined => {
  const subagent = subagents.get(id)
  if (subagent !== undefined) {
    // Of one that a plugin only promises, the id alone may be known.
    if ((subagent as Partial<typeof subagent>).can === undefined) return undefined
    const { at, can, check, class: protects, input, longest, scope, spans, timeout } = subagent
    return {
      id,
      kind: "subagent",
      class: protects,
      can,
      at,
      scope,
      spans: spans === true,
      ...(longest === undefined ? {} : { longest }),
      ...(timeout === undefined ? {} : { timeout }),
      ...(input === undefined ? {} : { input }),
      ...(check === undefined ? {} : { check }),
    }
  }
  const validator = validators.get(id)
  if (validator === undefined) return undefined
  const {
    can = verdicts,
    check,
    class: protects = "safety",
    input,
    lookbehind = validator.window,
    window,
  } = validator
  return {
    id,
    kind: "validator",
    class: protects,
    can,
    at: validator.at ?? (window === undefined ? "whole" : "window"),
    scope: "last",
    spans: true,
    ...(window === undefined ? {} : { longest: window }),
    ...(lookbehind === undefined ? {} : { lookbehind }),
    ...(input === undefined ? {} : { input }),
    ...(check === undefined ? {} : { check }),
  }
}
