/** The subagent `compliance_checker`: whether a text keeps the rules of regulations. */
import * as Effect from "effect/Effect"
import { subagent, type Draft, type Finding, type Json } from "@planloom/plugin/effect"
import { passed, phraseFinder } from "@planloom/review-kit"
import { ruled, type Issue } from "../findings.ts"
import { aboutDraft, askJudge, certaintySchema, confidenceOf } from "../judge.ts"
import type { Regulation, RegulationRule } from "../kinds/regulationKind.ts"
import { filesOf, namedFiles, unknownFiles } from "../kinds/namedFiles.ts"
import { allPhrases, type PhrasesByLanguage } from "../kinds/translated.ts"

interface Options {
  readonly rules?: ReadonlyArray<string>
}

interface Rule extends RegulationRule {
  /** `regulation/rule`. */
  readonly name: string
}

interface Answer {
  readonly rule: string
  readonly kept: boolean
  readonly certainty: number
}

export const complianceChecker = subagent<Options>({
  id: "compliance_checker",
  summary: "Checks whether a text keeps the rules of regulations.",
  class: "compliance",
  can: ["pass", "flag", "block"],
  at: "whole",
  scope: "turn",
  timeout: "10s",
  input: {
    type: "object",
    properties: {
      rules: {
        type: "array",
        items: { type: "string", minLength: 1 },
        minItems: 1,
        description: "Names of files of kind `Regulation`; all of them unless written.",
      },
    },
    additionalProperties: false,
  },
  check: ({ rules }, known) => unknownFiles("Regulation", "rules", rules, known),
  rules: (_, files) =>
    filesOf<Regulation>("Regulation", files).flatMap((one) => rulesOf(one).map(({ name }) => name)),
  review: (draft, { files, model, with: options }) =>
    Effect.gen(function* () {
      const regulations = yield* namedFiles<Regulation>("Regulation", options.rules, files)
      const rules = regulations.flatMap(rulesOf)
      const applying = rules.filter((rule) => applies(rule, draft))
      const issues = applying.flatMap((rule) => brokenBy(rule, draft.text))
      // What is certain needs no model.
      if (issues.some(({ verdict }) => verdict === "block")) return ruled(issues)!
      const asked = applying.filter(({ question }) => question !== undefined)
      if (asked.length === 0) {
        return ruled(issues) ?? passed(`the text keeps ${applying.length} rules that apply`)
      }
      const answers = yield* askJudge<ReadonlyArray<Answer> & Json>(model, {
        name: "compliance",
        task: "Answer each question of `questions` on the text under review: is the rule kept? If the text does not say what the question asks for, it is not.",
        about: {
          questions: asked.map(({ name, question, summary }) => ({
            rule: name,
            summary,
            question: question!,
          })),
          ...aboutDraft(draft),
        },
        schema: answersSchema(asked),
      })
      return settled(asked, answers, issues)
    }),
})

const rulesOf = ({ name, rules }: Regulation): ReadonlyArray<Rule> =>
  rules.map((rule) => ({ ...rule, name: `${name}/${rule.id}` }))

const has = (text: string, phrases: PhrasesByLanguage | undefined): boolean =>
  phraseFinder(allPhrases(phrases)).find(text).length > 0

const applies = ({ applies: condition }: Rule, { calls, request, text }: Draft): boolean =>
  condition === undefined ||
  has(`${request}\n${text}`, condition.mentions) ||
  // The news of a refusal needs no receipt.
  calls.some(({ ok, tool }) => ok && condition.tools?.includes(tool) === true)

const brokenBy = (
  { must_contain, must_not_contain, name, summary, verdict = "block" }: Rule,
  text: string,
): ReadonlyArray<Issue> => {
  const forbidden = phraseFinder(allPhrases(must_not_contain)).find(text)
  return [
    ...forbidden.map(({ phrase }) => ({
      verdict,
      rule: name,
      issue: `${name}: the text has "${phrase}" (${summary})`,
    })),
    ...(must_contain === undefined || has(text, must_contain)
      ? []
      : [{ verdict, rule: name, issue: `${name}: the text lacks what it must say (${summary})` }]),
  ]
}

const answersSchema = (asked: ReadonlyArray<Rule>) => ({
  type: "array",
  minItems: asked.length,
  maxItems: asked.length,
  items: {
    type: "object",
    properties: {
      rule: { enum: asked.map(({ name }) => name) },
      kept: { type: "boolean" },
      certainty: certaintySchema,
    },
    required: ["rule", "kept", "certainty"],
    additionalProperties: false,
  },
})

/** A rule without an answer is not kept: it was not judged. */
const settled = (
  asked: ReadonlyArray<Rule>,
  answers: ReadonlyArray<Answer> | undefined,
  issues: ReadonlyArray<Issue>,
): Finding => {
  if (answers === undefined) {
    const skipped = asked.map(({ name }): Issue => ({
      verdict: "flag",
      rule: name,
      issue: `${name}: not judged by a model`,
    }))
    return ruled([...issues, ...skipped])!
  }
  const broken = asked.flatMap(
    ({
      name,
      summary,
      verdict = "block",
    }): ReadonlyArray<Issue & { readonly confidence: number }> => {
      const answer = answers.find(({ rule }) => rule === name)
      if (answer === undefined) {
        const issue = `${name}: the model gave no answer`
        return [{ verdict: "flag", rule: name, issue, confidence: 1 }]
      }
      return answer.kept
        ? []
        : [
            {
              verdict,
              rule: name,
              issue: `${name}: ${summary}`,
              confidence: confidenceOf(answer),
            },
          ]
    },
  )
  const finding = ruled([...issues, ...broken])
  if (finding === undefined) {
    const confidence = Math.min(...answers.map(confidenceOf))
    return { ...passed(`the text keeps ${asked.length} rules that the model judged`), confidence }
  }
  const deciding = broken.filter(({ verdict }) => verdict === finding.verdict)
  const isCertain = issues.some(({ verdict }) => verdict === finding.verdict)
  return isCertain
    ? finding
    : { ...finding, confidence: Math.max(...deciding.map(({ confidence }) => confidence)) }
}
