/** The promises of a sentence: the outcomes that go with its words of commitment, and the future of what others decide. */
import { anyPromise } from "./anyPromise.ts"
import { isAttribute } from "./isAttribute.ts"
import { isOwnAction } from "./isOwnAction.ts"
import {
  ANY_TOPIC,
  isFirm,
  isNoun,
  NOT_FORETOLD,
  type Cue,
  type Outcome,
  type OutcomeKind,
  type PromiseTopic,
  type Use,
} from "./Lexicon.ts"
import { around, doMeet, isCut, isInside, isPurpose, type Place } from "./Place.ts"
import type { Reading } from "./Reading.ts"
import { Tense } from "./Tense.ts"

/** Words that may lie between a negation and the gain that it denies; a harm may be further away. */
const NEAR = 3
const FAR = 7

/** Distance of an outcome that counts only without a nearer kind. */
const LAST = 1000

export interface PromisePlace extends Place {
  readonly topic: PromiseTopic
}

interface Candidate extends PromisePlace {
  readonly distance: number
}

/** Its promise, of the topic whose outcome is next to a word of commitment. */
export const promiseOf = (reading: Reading, hasAny: boolean): PromisePlace | undefined => {
  const tense = new Tense(reading)
  const promised = reading.outcomes.filter(
    (one) =>
      !isInside(one, reading.neutral) &&
      !reading.isQuoted(one) &&
      isPromised(reading, tense, one, one.role.kind),
  )
  if (isOwnAction(reading, promised)) return undefined
  const isHedged = reading.excuses.has("hedges")
  const cues = reading.cues.filter(
    (cue) =>
      cue.role.role !== "named" &&
      !reading.isQuoted(cue) &&
      !isPurpose(reading.text, cue) &&
      !isSubject(reading, cue) &&
      (isFirm(cue) || !isHedged) &&
      (cue.role.role === "plain" || isFirm(cue) || !isUndone(reading, tense, cue)),
  )
  const found: ReadonlyArray<Candidate> = [
    ...cues.flatMap((cue) =>
      cue.role.outcome === undefined
        ? committed(reading, tense, cue, promised)
        : !tense.isAsked(cue) && isPromised(reading, tense, cue, cue.role.outcome.kind)
          ? [{ start: cue.start, end: cue.end, topic: cue.role.outcome.topic, distance: -1 }]
          : [],
    ),
    ...(isHedged ? [] : promised)
      .filter((one) => isForetold(reading, tense, one))
      .map((one) => ({ start: one.start, end: one.end, topic: one.role.topic, distance: 0 })),
  ]
  if (found.length > 0) {
    const nearest = found.reduce((one, other) => (other.distance < one.distance ? other : one))
    return { ...found.reduce<Place>(around, nearest), topic: nearest.topic }
  }
  if (!hasAny || isHedged || tense.isPast) return undefined
  const any = anyPromise(
    reading,
    cues.filter((cue) => !isAttribute(reading, cue)),
  )
  return any === undefined ? undefined : { ...any, topic: ANY_TOPIC }
}

/** "Your loan will be approved", "your rate will not rise", but not "the deposit will be returned", "your rate will rise". */
const isForetold = (reading: Reading, tense: Tense, outcome: Use<Outcome>): boolean =>
  (!NOT_FORETOLD.includes(outcome.role.topic) || outcome.role.kind === "harms") &&
  tense.isForetold(outcome) &&
  reading.isOfCustomer &&
  !reading.outcomes.some(
    (one) => one.role.kind === "moves" && doMeet(one, outcome) && isChange(reading, one),
  )

const isChange = ({ forms, negations, words }: Reading, move: Place): boolean =>
  !negations.some((one) => doMeet(one, move) || one.end + 1 === move.start) &&
  !words.some((word) => isInside(word, [move]) && forms.steady.has(word.word))

/** The outcomes to which a word commits. */
const committed = (
  reading: Reading,
  tense: Tense,
  cue: Use<Cue>,
  promised: ReadonlyArray<Use<Outcome>>,
): ReadonlyArray<Candidate> => {
  const { coming, cues, ownActions } = reading
  const { role } = cue.role
  if (role === "soft") return []
  const isOfNoun = isAttribute(reading, cue)
  const hasOwn = ownActions.some((one) => !isInside(one, cues))
  return promised
    .filter((one) =>
      isFirm(cue)
        ? !isNoun(one) || !isInside(one, [cue])
        : one.role.kind === "subjects"
          ? coming.length > 0
          : !isNoun(one) &&
            !((role === "weak" || role === "stress") && isCut(one, cue)) &&
            // "Nothing is known yet, and the results come out on Thursday."
            !(role === "denial" && one.role.kind === "gains" && isOneWord(reading, cue)),
    )
    .filter((one) => one.role.kind !== "subjects" || !hasOwn)
    .filter((one) => !isOfNoun || isBeside(reading, cue, one))
    .filter(
      (one) =>
        one.role.topic !== ANY_TOPIC ||
        ((isFirm(cue) || reading.isOfCustomer) && !hasOwn && !tense.isPast),
    )
    .map((one) => ({
      ...around(cue, one),
      topic: one.role.topic,
      distance:
        Math.max(one.start - cue.end, cue.start - one.end, 0) +
        (one.role.kind === "subjects" ? LAST : 0) +
        (one.role.topic === ANY_TOPIC ? 2 * LAST : 0),
    }))
}

/** "Guaranteed approval", "aprobación garantizada". */
const isBeside = (reading: Reading, cue: Place, outcome: Place): boolean =>
  doMeet(cue, outcome) ||
  (outcome.start > cue.end
    ? reading.between(cue.end, outcome.start) === 0
    : reading.between(outcome.end, cue.start) === 0)

/** "Promising it would be wrong", "prometer que llegue hoy"; and an order: "definitely keep the receipt". */
const isSubject = ({ forms, words }: Reading, { end, start }: Place): boolean =>
  words[0]!.start === start &&
  (forms.deeds.has(words[0]!.word) ||
    (words[0]!.end === end && forms.orders.has(words[1]?.word ?? "")))

const isOneWord = ({ words }: Reading, cue: Place): boolean =>
  words.some(({ end, start }) => start === cue.start && end === cue.end)

/** True for a cue about the past or under a negation: neither is a promise. A negation before it undoes "without risk", but only repeats "ningún riesgo". */
const isUndone = (reading: Reading, tense: Tense, cue: Use<Cue>): boolean => {
  if (tense.isPast || tense.isOfDone(cue)) return true
  const repeats = cue.role.role === "denial" && reading.isConcord(cue)
  return !repeats && reading.isNegated(cue)
}

/** Whether the sentence states a gain, and denies a harm. */
const isPromised = (reading: Reading, tense: Tense, outcome: Place, kind: OutcomeKind): boolean => {
  if (kind === "moves") return !tense.isOver(outcome)
  if (kind === "subjects") return tense.isAhead && !tense.isPast && !reading.excuses.has("hedges")
  const isHarm = kind === "harms"
  const isDenied = reading.negations.some(
    ({ end }) =>
      end <= outcome.end &&
      reading.between(end, outcome.start) <= (isHarm ? FAR : NEAR) &&
      reading.isOneClause(end, outcome.start),
  )
  return (isDenied || (isHarm && isRuledOut(reading, outcome))) === isHarm && !tense.isOver(outcome)
}

/** "A rejection is out of the question", "perder es imposible". */
const isRuledOut = (reading: Reading, harm: Place): boolean =>
  reading.cues.some(
    (cue) =>
      cue.role.role === "denial" &&
      !isOneWord(reading, cue) &&
      cue.start >= harm.end &&
      reading.between(harm.end, cue.start) < NEAR &&
      reading.isOneClause(harm.end, cue.start),
  )
