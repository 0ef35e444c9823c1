/** The subagents `ask` and `ask_input`: questions that files of the workflow put on a text, a request or results of calls. */
import * as Effect from "effect/Effect"
import { subagent, type Draft, type Json, type Problem } from "@planloom/plugin/effect"
import { languageOf, textGiver } from "@planloom/plugin/texts"
import { passed, phraseFinder } from "@planloom/review-kit"
import { decided, ruled, withoutModel, type Issue } from "../findings.ts"
import { askJudge, aboutDraft, certaintySchema, confidenceOf } from "../judge.ts"
import type { Guard, GuardPlace } from "../kinds/guardKind.ts"
import { filesOf, namedFiles, unknownFiles } from "../kinds/namedFiles.ts"
import { allPhrases } from "../kinds/translated.ts"

interface Options {
  readonly guards?: ReadonlyArray<string>
}

interface Answer {
  readonly guard: string
  readonly answer: "yes" | "no"
  readonly certainty: number
}

/** A subagent that puts the questions of the guards of these places. */
const asking = (
  id: string,
  at: "input" | "whole",
  places: ReadonlyArray<GuardPlace>,
  what: string,
) =>
  subagent<Options>({
    id,
    summary: `Asks a model the questions of guards about ${what}.`,
    class: "safety",
    can: ["pass", "flag", "block"],
    at,
    scope: "turn",
    timeout: "10s",
    input: {
      type: "object",
      properties: {
        guards: {
          type: "array",
          items: { type: "string", minLength: 1 },
          minItems: 1,
          description: `Names of files of kind \`Guard\` with \`at: ${places.join("` or `")}\`; all of them unless written.`,
        },
      },
      additionalProperties: false,
    },
    check: ({ guards }, known) => {
      const unknown = unknownFiles("Guard", "guards", guards, known)
      if (unknown.length > 0) return unknown
      const all = known.files("Guard") as unknown as ReadonlyArray<Guard>
      return misplaced(id, places, guards, all)
    },
    rules: (_, files) => filesOf<Guard>("Guard", files).map(({ name }) => name),
    asks: () => [{ way: "json" }],
    review: (draft, { files, model, user, with: options }) =>
      Effect.gen(function* () {
        const guards = (yield* namedFiles<Guard>("Guard", options.guards, files)).filter((guard) =>
          reads(guard, places, draft),
        )
        if (guards.length === 0) return passed("no guard applies")
        const results = resultsOf(draft)
        const isWhole = results.length <= MAX_RESULTS
        const issues = guards.flatMap((guard) => [
          ...phrasesIn(guard, draft, results),
          ...(guard.at === "tool_result" && !isWhole ? [unread(guard)] : []),
        ])
        // What is certain needs no model.
        if (issues.some(({ verdict }) => verdict === "block")) return ruled(issues)!
        const answers = yield* askJudge<ReadonlyArray<Answer> & Json>(model, {
          name: "guards",
          task: "Answer each question of `questions` with yes or no.",
          about: {
            questions: guards.map((guard) => ({
              guard: guard.name,
              about: about[guard.at],
              question: questionOf(guard, languageOf(user)),
            })),
            ...aboutDraft(draft),
            ...(guards.some(({ at: place }) => place === "tool_result")
              ? { results: results.slice(0, MAX_RESULTS) }
              : {}),
          },
          schema: answersSchema(guards),
        })
        return settled(guards, answers, issues)
      }),
  })

export const ask = asking("ask", "whole", ["whole"], "a complete text")

export const askInput = asking(
  "ask_input",
  "input",
  ["input", "tool_result"],
  "the request and what the calls of the run brought back",
)

/** The field of the data that a question is about. */
const about: { readonly [P in GuardPlace]: string } = {
  input: "request",
  tool_result: "results",
  whole: "text_under_review",
}

/** Guards that this subagent would never put. */
const misplaced = (
  id: string,
  places: ReadonlyArray<GuardPlace>,
  names: ReadonlyArray<string> | undefined,
  guards: ReadonlyArray<Guard>,
): ReadonlyArray<Problem> => {
  const other = id === "ask" ? "ask_input" : "ask"
  const text = `\`${id}\` puts guards with \`at: ${places.join("` or `")}\``
  if (names === undefined) {
    return guards.some(({ at }) => places.includes(at))
      ? []
      : [{ code: "GUARD002", message: `no guard is for it: ${text}`, at: [], fix: `use ${other}` }]
  }
  return names.flatMap((name, index): ReadonlyArray<Problem> => {
    const at = guards.find((one) => one.name === name)!.at
    return places.includes(at)
      ? []
      : [
          {
            code: "GUARD002",
            message: `the guard "${name}" has \`at: ${at}\`; ${text}`,
            at: ["guards", index],
            fix: `name it under ${other}`,
          },
        ]
  })
}

/** True for a guard of these places that has something to read. */
const reads = ({ at }: Guard, places: ReadonlyArray<GuardPlace>, { calls }: Draft): boolean =>
  places.includes(at) && (at !== "tool_result" || calls.length > 0)

/** Characters of results of calls that a question quotes, the newest first. */
const MAX_RESULTS = 20_000

/** Results of the calls of the run, a line each, the newest first. */
const resultsOf = ({ calls }: Draft): string =>
  calls
    .map(({ result, summary }) => JSON.stringify(result ?? summary))
    .toReversed()
    .join("\n")

/** An attack at the end of a long result must not pass as read. */
const unread = ({ name }: Guard): Issue => ({
  verdict: "flag",
  rule: name,
  issue: `${name}: the model read only the newest ${MAX_RESULTS} characters of the results`,
})

const phrasesIn = (
  { at, name, phrases, verdict = "block" }: Guard,
  { request, text }: Draft,
  results: string,
): ReadonlyArray<Issue> => {
  if (phrases === undefined) return []
  return phraseFinder(allPhrases(phrases))
    .find({ input: request, tool_result: results, whole: text }[at])
    .map(({ phrase }) => ({ verdict, rule: name, issue: `${name}: has "${phrase}"` }))
}

const questionOf = ({ question }: Guard, language: string | undefined): string =>
  typeof question === "string" ? question : textGiver({ question }, language)("question")

const answersSchema = (guards: ReadonlyArray<Guard>) => ({
  type: "array",
  minItems: guards.length,
  maxItems: guards.length,
  items: {
    type: "object",
    properties: {
      guard: { enum: guards.map(({ name }) => name) },
      answer: { enum: ["yes", "no"] },
      certainty: certaintySchema,
    },
    required: ["guard", "answer", "certainty"],
    additionalProperties: false,
  },
})

/** A guard without an answer was not judged: it never passes. */
const settled = (
  guards: ReadonlyArray<Guard>,
  answers: ReadonlyArray<Answer> | undefined,
  issues: ReadonlyArray<Issue>,
) => {
  if (answers === undefined) {
    const skipped = guards.map(({ name }): Issue => ({
      verdict: "flag",
      rule: name,
      issue: `${name}: not judged by a model`,
    }))
    return withoutModel(issues, skipped)
  }
  const judged = guards.map((guard) => {
    const { name, passes = "yes", verdict = "block" } = guard
    const own = answers.filter((one) => one.guard === name)
    // Of two answers the one that does not pass counts.
    const answer = own.find((one) => one.answer !== passes) ?? own[0]
    if (answer === undefined) {
      const issue = `${name}: the model gave no answer`
      return { verdict: "flag" as const, rule: name, issue, confidence: 1 }
    }
    const confidence = confidenceOf(answer)
    const found = answer.answer === passes ? ("pass" as const) : verdict
    return { verdict: found, rule: name, issue: `${name}: ${answer.answer}`, confidence }
  })
  const found = judged.filter(({ verdict }) => verdict !== "pass")
  const least = Math.min(...judged.map(({ confidence }) => confidence))
  return decided(issues, found) ?? { ...passed(`${guards.length} guards pass`), confidence: least }
}
