/** Reading of free text: words with their classes, claims, the understanding gate, and requests as tool calls. */
export { callWords } from "./CallWords.ts"
export type { CallWords } from "./CallWords.ts"
export { chosen } from "./chosen.ts"
export type { Choice, Question } from "./chosen.ts"
export type { Claim } from "./Claim.ts"
export { codeTest } from "./codeTest.ts"
export { clausesOf, dialogueAct, withoutAmends, withoutInterjections } from "./dialogueAct.ts"
export { decide } from "./decide.ts"
export type { Decision, Proposal } from "./decide.ts"
export { english } from "./words/english.ts"
export { grammarOf } from "./words/grammarOf.ts"
export { dialogueActs, operators } from "./words/Grammar.ts"
export type { DialogueAct, Grammar, Operator } from "./words/Grammar.ts"
export {
  confidenceOf,
  isAbout,
  namesTool,
  openPhrases,
  openWords,
  readingOf,
  unbacked,
  uncertainClaims,
} from "./Reading.ts"
export type { PlanPart, Reading } from "./Reading.ts"
export { isComplete, readCall } from "./readCall.ts"
export type { CallReading, RequestText } from "./CallReading.ts"
export { months } from "./readDays.ts"
export { readRequest } from "./readRequest.ts"
export type { Expected, RequestInput, RequestReading } from "./readRequest.ts"
export type { SpokenParam } from "./SpokenParam.ts"
export { stem } from "./words/stem.ts"
export { readWords } from "./words/Word.ts"
export type { Word } from "./words/Word.ts"
export { isRelated } from "./words/wordFamily.ts"
export { writes } from "../Tool.ts"
