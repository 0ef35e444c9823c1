/** The subagent `context_enricher`: adds what the user would miss, by declared opportunities. */
import * as Effect from "effect/Effect"
import {
  compileExpression,
  compileValue,
  ExpressionFailed,
  type ExpressionScope,
} from "@planloom/expression"
import {
  StageFailed,
  subagent,
  type Draft,
  type Failure,
  type Finding,
  type Json,
  type JsonObject,
} from "@planloom/plugin/effect"
import { languageOf, textGiver } from "@planloom/plugin/texts"
import { numbersIn, passed, phraseFinder } from "@planloom/review-kit"
import { askJudge, type ReviewContext } from "../judge.ts"
import type { Opportunities, Opportunity } from "../kinds/opportunitiesKind.ts"
import { filesOf, namedFiles, unknownFiles } from "../kinds/namedFiles.ts"
import { allPhrases } from "../kinds/translated.ts"

interface Options {
  readonly from?: ReadonlyArray<string>
}

export const contextEnricher = subagent<Options>({
  id: "context_enricher",
  summary: "Adds what a user would miss in an answer, by declared opportunities.",
  class: "context",
  can: ["pass", "flag", "enrich"],
  at: "whole",
  scope: "turn",
  timeout: "10s",
  input: {
    type: "object",
    properties: {
      from: {
        type: "array",
        items: { type: "string", minLength: 1 },
        minItems: 1,
        description: "Names of files of kind `Opportunities`; all of them unless written.",
      },
    },
    additionalProperties: false,
  },
  check: ({ from }, known) => unknownFiles("Opportunities", "from", from, known),
  rules: (_, files) =>
    filesOf<Opportunities>("Opportunities", files).flatMap(({ opportunities }) =>
      opportunities.map(({ id }) => id),
    ),
  asks: () => [{ way: "json" }],
  review: (draft, context) =>
    Effect.gen(function* () {
      const scope = scopeOf(draft, context.user)
      const failed: Array<readonly [rule: string, issue: string]> = []
      const { files, with: options } = context
      const used = yield* namedFiles<Opportunities>("Opportunities", options.from, files)
      for (const opportunity of used.flatMap(({ opportunities }) => opportunities)) {
        const addition = additionOf(opportunity, draft, scope, context.user)
        if (addition instanceof ExpressionFailed) {
          failed.push([opportunity.id, `${opportunity.id}: ${addition.message}`])
        } else if (addition !== undefined && (yield* isDue(opportunity, context))) {
          const text = yield* worded(opportunity, addition, draft, context)
          return {
            verdict: "enrich",
            confidence: 1,
            reason: `the opportunity ${opportunity.id} holds`,
            rules: [opportunity.id],
            text,
          } satisfies Finding
        }
      }
      // A condition that cannot be evaluated would otherwise never be noticed.
      if (failed.length === 0) return passed("no declared opportunity holds")
      const issues = failed.map(([, issue]) => issue)
      const rules = [...new Set(failed.map(([rule]) => rule))]
      return { verdict: "flag", confidence: 1, reason: issues.join("; "), issues, rules }
    }),
})

/** Runs of sessions that have made an addition, by session and opportunity. */
const ADDITIONS = "enrichments"

/** The time for which a session gets no other addition of the same opportunity. */
const KEPT_MS = 90 * 24 * 3_600_000

/** Whether this run may make the addition: once in a session, unless the opportunity repeats. */
const isDue = (
  { id, repeats = false }: Opportunity,
  { collection, run, session }: ReviewContext<Options>,
): Effect.Effect<boolean, Failure> => {
  if (repeats || session === undefined) return Effect.succeed(true)
  const additions = collection(ADDITIONS)
  const key = `${session.id}/${id}`
  const { turn } = session
  return Effect.flatMap(additions.get(key), (entry) => {
    const made = entry?.value as { readonly run: string; readonly turn: number } | undefined
    // A later turn is one of a session that was cleared since.
    return made !== undefined && made.run !== run && made.turn < turn
      ? Effect.succeed(false)
      : Effect.as(additions.put(key, { run, turn }, { ttl: KEPT_MS }), true)
  }).pipe(
    Effect.mapError(
      ({ message }) =>
        new StageFailed({
          class: "unavailable",
          message: `what the session has read cannot be kept: ${message}`,
        }),
    ),
  )
}

const scopeOf = (
  { calls, data, request, text, turns }: Draft,
  user: JsonObject,
): ExpressionScope => ({
  request,
  text,
  data,
  user,
  calls: calls as unknown as Json,
  tools: calls.map(({ tool }) => tool),
  turns: turns as unknown as Json,
})

/** The declared text; undefined if it is not to be added. */
const additionOf = (
  { text, unless, when }: Opportunity,
  draft: Draft,
  scope: ExpressionScope,
  user: JsonObject,
): string | undefined | ExpressionFailed => {
  try {
    if (compileExpression(when).evaluate(scope) !== true) return undefined
    const addition = String(compileValue(inLanguageOf(user, text)).evaluate(scope))
    const isSaid =
      draft.text.includes(addition) || phraseFinder(allPhrases(unless)).find(draft.text).length > 0
    return isSaid ? undefined : addition
  } catch (error) {
    if (error instanceof ExpressionFailed) return error
    throw error
  }
}

const inLanguageOf = (user: JsonObject, addition: Opportunity["text"]): string =>
  textGiver({ addition }, languageOf(user))("addition")

/** The model's words if they keep every number of the declared text and add none; else the declared text. */
const worded = (
  { wording = false }: Opportunity,
  addition: string,
  draft: Draft,
  { model }: ReviewContext<Options>,
): Effect.Effect<string, Failure> =>
  wording
    ? Effect.map(
        askJudge<{ readonly text: string }>(model, {
          name: "wording",
          task: "Rewrite `addition` so that it follows `answer` naturally, in the language of `answer`, in at most two sentences. Keep every fact and number, and add none.",
          about: { answer: draft.text, addition },
          schema: {
            type: "object",
            properties: { text: { type: "string", minLength: 1, maxLength: 600 } },
            required: ["text"],
            additionalProperties: false,
          },
        }),
        (answer) =>
          answer !== undefined && digitsOf(answer.text) === digitsOf(addition)
            ? answer.text
            : addition,
      )
    : Effect.succeed(addition)

const digitsOf = (text: string): string =>
  numbersIn(text)
    .map(({ digits }) => digits)
    .toSorted()
    .join()
