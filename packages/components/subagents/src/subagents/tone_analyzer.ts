/** The subagent `tone_analyzer`: whether the tone of a text suits its user. */
import * as Effect from "effect/Effect"
import { subagent } from "@planloom/plugin/effect"
import { phraseFinder } from "@planloom/review-kit"
import { BY_MODEL, judged, NOT_JUDGED, type Issue } from "../findings.ts"
import { aboutDraft, askJudge, verdictSchema, type Judgement } from "../judge.ts"
import { allPhrases, phrasesSchema, type PhrasesByLanguage } from "../kinds/translated.ts"

interface Options {
  readonly tone?: string
  readonly avoid?: PhrasesByLanguage
}

const VERDICTS = ["pass", "flag"] as const

/** Exclamation marks of a text that shouts. */
const MAX_EXCLAMATIONS = 4

/** Words in capitals of a text that shouts, of four letters and more. */
const MAX_CAPITALS = 3

const IMPOLITE: PhrasesByLanguage = {
  en: [
    "calm down",
    "not my|our problem",
    "as i already said",
    "i already tol* you",
    "you should have known|read",
    "that's your fault",
    "stop complaining|asking",
    "are you stupid|serious|kidding",
    "shut up",
  ],
  es: [
    "calmate|calmese",
    "no es mi|nuestro problema",
    "ya te|le|se lo dije",
    "como ya te|le dije",
    "es tu|su culpa",
    "deberias|deberia haber leido|sabido",
    "deja de quejarte|preguntar",
    "callate",
  ],
}

export const toneAnalyzer = subagent<Options>({
  id: "tone_analyzer",
  summary: "Checks whether the tone of a text suits its user.",
  class: "tone",
  can: VERDICTS,
  at: "whole",
  scope: "turn",
  timeout: "10s",
  input: {
    type: "object",
    properties: {
      tone: {
        type: "string",
        minLength: 1,
        description:
          "The tone that texts must have, for the model; `friendly, clear and respectful` unless written.",
      },
      avoid: phrasesSchema("Further phrases that the text must not have."),
    },
    additionalProperties: false,
  },
  rules: ["phrase", "capitals", "exclamation_marks", BY_MODEL, NOT_JUDGED],
  asks: () => [{ way: "json" }],
  review: (draft, { model, with: { avoid, tone = "friendly, clear and respectful" } }) =>
    Effect.map(
      askJudge<Judgement>(model, {
        name: "tone",
        task: `Is the tone of the text under review ${tone}, and does it suit the mood of the request? \`flag\` if not.`,
        about: aboutDraft(draft),
        schema: verdictSchema(VERDICTS),
      }),
      (judgement) => judged(judgement, issuesIn(draft.text, avoid), `the tone is ${tone}`),
    ),
})

const issuesIn = (text: string, avoid: PhrasesByLanguage | undefined): ReadonlyArray<Issue> => {
  const impolite = phraseFinder([...allPhrases(IMPOLITE), ...allPhrases(avoid)]).find(text)
  const capitals = text.match(/(?<!\p{L})\p{Lu}{4,}(?!\p{L})/gu) ?? []
  const exclamations = text.match(/!/g) ?? []
  const issues = [
    ...impolite.map(({ phrase }) => ["phrase", `the text has "${phrase}"`] as const),
    ...(capitals.length > MAX_CAPITALS
      ? [["capitals", "the text shouts in capitals"] as const]
      : []),
    ...(exclamations.length > MAX_EXCLAMATIONS
      ? [["exclamation_marks", "the text has too many exclamation marks"] as const]
      : []),
  ]
  return issues.map(([rule, issue]) => ({ verdict: "flag", rule, issue }))
}
