/** Reads the noun for the rows of a table: "how many cars", "top 10 movies". */
import { english, isRelated, readWords } from "@planloom/planning/reading"
import { isIdentifierName } from "../columnKinds.ts"
import type { Reading } from "../Reading.ts"
import type { Mention } from "../findMentions.ts"
import { EXACT, SYNONYM } from "../matchColumns.ts"
import { words } from "../vocabulary/PhraseBook.ts"

/** "tickets" for a column "ticket id" means the rows, not the numbers, unless an id repeats. */
export const meansRows = (mention: Mention): boolean =>
  mention.value === undefined &&
  mention.quality < EXACT &&
  mention.columns.every(
    ({ distinct, name, unique, type }) =>
      isIdentifierName(name) && (unique === true || (distinct === undefined && type === "integer")),
  )

const persons = words(
  "person, people, human, individual, victim, member, patient, guest, resident, respondent, participant, subject, inhabitant, passenger, survivor",
)

/** Nouns for what is recorded one by one, whatever the table is about. */
const events = words(
  "trip, ride, journey, visit, measurement, sample, incident, accident, sighting, survey, response, answer, game, match, " +
    "session, booking, reservation, shipment, delivery, request, test, experiment",
)

/** Whether the rows are of people, by what is known of them. */
const isOfPeople = ({ profile }: Reading): boolean =>
  profile.columns.some(({ name }) =>
    /^(age|gender|sex|(first|last|sur|full)[ _]?name|birth.*|race|ethnicity|raceethnicity|guest.*|.*occupation)$/i.test(
      name,
    ),
  )

/** Whether the table itself names its rows so: by its title or by an identifier of them. */
const isNamed = (reading: Reading, noun: string): boolean =>
  [noun, ...(reading.lexicon.synonyms.get(noun) ?? [])].some((stem) => names(reading, stem))

const names = (reading: Reading, stem: string): boolean =>
  reading.lexicon.title.has(stem) ||
  [...reading.lexicon.title].some(
    (word) => isRelated(stem, word) || (stem.length > 4 && word.endsWith(stem)),
  )

type Noun = { readonly end: number; readonly certain: boolean }

/** A usual word for rows, or the table's own. */
const ownAt = (reading: Reading, at: number): Noun | undefined => {
  const { lexicon } = reading
  const token = reading.tokens[at]
  if (token === undefined || token.kind !== "word" || reading.isTaken(at)) return undefined
  const mention = reading.mention(at)
  const isPlural = token.word !== token.stem
  if (mention !== undefined) {
    const isName = mention.value === undefined
    // "pickups" of a table with the time of each pickup.
    const isEvent = isName && isPlural && mention.columns.every(({ type }) => type === "date")
    // "fight songs" of the table `fight-songs`, which has a column `fight`.
    const isCompound = isName && reading.isTitled(mention.start, mention.end + 1)
    // "sales" of the table `sales` is its column of revenue, which has the meaning of the word.
    const isTitle =
      isName &&
      (mention.quality < SYNONYM || mention.columns.every(({ unique }) => unique === true)) &&
      reading.isTitled(mention.start, mention.end)
    // "people" of a table of people is no column of a population.
    const isPerson =
      isName &&
      mention.quality < EXACT &&
      reading.phrase(at, persons) !== undefined &&
      isOfPeople(reading)
    return meansRows(mention) || isTitle || isEvent || isCompound || isPerson
      ? { end: isCompound ? mention.end + 1 : mention.end, certain: mention.quality > 0.7 }
      : undefined
  }
  const usual = reading.phrase(at, lexicon.rows)
  if (usual !== undefined) return { end: at + usual.length, certain: true }
  if (isSpoken(reading, at) || !isNamed(reading, token.stem)) return undefined
  if (!isPlural && readWords(token.word, english)[0]?.operator === "past") return undefined
  const next = reading.tokens[at + 1]
  const isCompound =
    next?.kind === "word" && lexicon.title.has(next.stem) && !reading.isTaken(at + 1)
  return { end: isCompound ? at + 2 : at + 1, certain: true }
}

const isSpoken = (reading: Reading, at: number): boolean => {
  const { analysis, charts, common, grains, outputs } = reading.lexicon
  return [common, analysis, grains, outputs, charts].some(
    (book) => reading.phrase(at, book) !== undefined,
  )
}

/** A noun for events, or for people if the rows are of people, where the rows have no noun of their own. */
const guessAt = (reading: Reading, at: number): Noun | undefined => {
  const { rowWord, tokens } = reading
  const token = tokens[at]
  const isFree = token?.kind === "word" && !reading.isTaken(at) && !reading.mention(at)
  if (token === undefined || !isFree || isSpoken(reading, at)) return undefined
  // Another noun is a concept of its own, which the table lacks: a doctor, a price.
  const isPerson = reading.phrase(at, persons) !== undefined && isOfPeople(reading)
  if (!isPerson && reading.phrase(at, events) === undefined) return undefined
  const hasOwn = tokens.some(
    (_, place) =>
      place !== at &&
      (ownAt(reading, place) !== undefined ||
        (rowWord === undefined && reading.usesAt(place).includes("rows"))),
  )
  return hasOwn ? undefined : { end: at + 1, certain: false }
}

const nounAt = (reading: Reading, at: number): Noun | undefined =>
  ownAt(reading, at) ?? guessAt(reading, at)

/** The end of a noun for the rows at an index. */
export const rowNounAt = (reading: Reading, at: number): number | undefined =>
  nounAt(reading, at)?.end

/**
 * Claims the noun at an index if it is a usual word for rows, the table's own, or a word that is neither in a column nor
 * a concept of its own; returns its end.
 */
export const readRowNoun = (reading: Reading, at: number): number | undefined => {
  const noun = nounAt(reading, at)
  if (noun === undefined) return undefined
  reading.claim("rows", at, noun.end)
  if (noun.certain) return noun.end
  reading.doubt(at, noun.end)
  reading.rowWord ??= reading.tokens[at]?.text
  return noun.end
}
