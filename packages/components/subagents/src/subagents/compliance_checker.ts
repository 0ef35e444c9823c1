/** The subagent `compliance_checker`: whether a text keeps the rules of regulations. */
import * as Effect from "effect/Effect"
import {
  subagent,
  type Draft,
  type Finding,
  type Json,
  type JsonObject,
} from "@planloom/plugin/effect"
import { languageOf, textGiver } from "@planloom/plugin/texts"
import { passed, phraseFinder } from "@planloom/review-kit"
import { decided, ruled, withoutModel, type Issue, type ModelIssue } from "../findings.ts"
import { aboutDraft, askJudge, certaintySchema, confidenceOf } from "../judge.ts"
import type { Regulation, RegulationRule } from "../kinds/regulationKind.ts"
import { filesOf, namedFiles, unknownFiles } from "../kinds/namedFiles.ts"
import { allPhrases, hasPhrase } from "../kinds/translated.ts"

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
  can: ["pass", "flag", "enrich", "block"],
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
  asks: () => [{ way: "json" }],
  review: (given, { files, model, user, with: options }) =>
    Effect.gen(function* () {
      const regulations = yield* namedFiles<Regulation>("Regulation", options.rules, files)
      const rules = regulations.flatMap(rulesOf)
      const applying = rules.filter((rule) => applies(rule, given)).map(forText(given))
      const missing = applying.filter(
        (rule) => rule.append !== undefined && lacks(rule, given.text),
      )
      const addition = missing.map((rule) => appended(rule, given, user)).join("\n")
      // What leaves is reviewed, with what is appended to it.
      const draft = addition === "" ? given : { ...given, text: `${given.text}\n\n${addition}` }
      const enriched = (finding: Finding): Finding =>
        addition === "" || finding.verdict === "block"
          ? finding
          : enrichment(finding, missing, addition)
      const issues = applying.flatMap((rule) => brokenBy(rule, draft.text))
      // What is certain needs no model.
      if (issues.some(({ verdict }) => verdict === "block")) return ruled(issues)!
      const asked = applying.filter(({ question }) => question !== undefined)
      if (asked.length === 0) {
        const kept = passed(`the text keeps ${applying.length} rules that apply`)
        return enriched(ruled(issues) ?? kept)
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
      return enriched(settled(asked, answers, issues))
    }),
})

const rulesOf = ({ name, rules }: Regulation): ReadonlyArray<Rule> =>
  rules.map((rule) => ({ ...rule, name: `${name}/${rule.id}` }))

/** In the language of the stage, else of the user, else the first. */
const appended = ({ append = {} }: Rule, { data }: Draft, user: JsonObject): string => {
  const { language } = (data ?? {}) as { readonly language?: Json }
  const spoken = typeof language === "string" && language !== "" ? language : languageOf(user)
  return textGiver({ append }, spoken)("append")
}

/** A missing text is certain, and is added whatever else is flagged. */
const enrichment = (
  { issues = [], rules = [] }: Finding,
  missing: ReadonlyArray<Rule>,
  text: string,
): Finding => {
  const lacking = missing.map(({ name, summary }) => `${name}: is appended (${summary})`)
  const all = [...lacking, ...issues]
  return {
    verdict: "enrich",
    confidence: 1,
    reason: all.join("; "),
    issues: all,
    rules: [...new Set([...missing.map(({ name }) => name), ...rules])],
    text,
  }
}

/** A field need not say what its reply must, but nothing in it may be what no text may have. */
const forText =
  ({ isValue }: Draft) =>
  (rule: Rule): Rule => {
    if (isValue !== true) return rule
    const { must_contain: _, question: _question, ...forbidding } = rule
    return forbidding
  }

const lacks = ({ must_contain }: Rule, text: string): boolean =>
  must_contain !== undefined && !hasPhrase(text, must_contain)

const applies = ({ applies: condition }: Rule, { calls, request, text }: Draft): boolean =>
  condition === undefined ||
  hasPhrase(`${request}\n${text}`, condition.mentions) ||
  // The news of a refusal needs no receipt.
  calls.some(({ ok, tool }) => ok && condition.tools?.includes(tool) === true)

const brokenBy = (rule: Rule, text: string): ReadonlyArray<Issue> => {
  const { must_not_contain, name, summary, verdict = "block" } = rule
  const forbidden = phraseFinder(allPhrases(must_not_contain)).find(text)
  return [
    ...forbidden.map(({ phrase }) => ({
      verdict,
      rule: name,
      issue: `${name}: the text has "${phrase}" (${summary})`,
    })),
    ...(lacks(rule, text)
      ? [{ verdict, rule: name, issue: `${name}: the text lacks what it must say (${summary})` }]
      : []),
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
    return withoutModel(issues, skipped)
  }
  const broken = asked.flatMap(
    ({ name, summary, verdict = "block" }): ReadonlyArray<ModelIssue> => {
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
  const finding = decided(issues, broken)
  if (finding !== undefined) return finding
  const confidence = Math.min(...answers.map(confidenceOf))
  return { ...passed(`the text keeps ${asked.length} rules that the model judged`), confidence }
}
