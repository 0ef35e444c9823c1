/** Closed word classes of a natural language, as data: what reading must not ignore, and what it may. */

/**
 * Words that must not be ignored: without one, another question is answered or another thing is done. `past`,
 * `modality` and `question` make a report or a question of a wish; `change` is a wish to change something, `look` one
 * to know something.
 */
export const operators = [
  "negation",
  "condition",
  "time",
  "quantity",
  "modality",
  "past",
  "question",
  "change",
  "look",
] as const
export type Operator = (typeof operators)[number]

/** In the order in which one of a message goes before the others. */
export const dialogueActs = ["refuse", "resume", "affirm", "thank", "greet"] as const
export type DialogueAct = (typeof dialogueActs)[number]

/** Every word or phrase is lower case, words separated by one space. A phrase goes before its single words. */
export interface Grammar {
  /** BCP 47. */
  readonly language: string
  /** Messages that ask for nothing new, as whole phrases. */
  readonly acts: { readonly [act in DialogueAct]: ReadonlyArray<string> }
  /** Words that lead in a message before a comma: "wait, what is my limit?". */
  readonly interjections: ReadonlyArray<string>
  /** Words that join two wishes. */
  readonly conjunctions: ReadonlyArray<string>
  /** Words without content: articles, auxiliaries, pronouns, politeness. */
  readonly functionWords: ReadonlyArray<string>
  readonly operators: { readonly [operator in Operator]: ReadonlyArray<string> }
  /** Phrases with a negation that doubt, ask or state, and exclude nothing from a wish: "not sure", "isn't". */
  readonly doubts: ReadonlyArray<string>
  /** Fixed phrases whose words do not have their own sense: "better safe than sorry". */
  readonly idioms: ReadonlyArray<string>
  /** Phrases that exclude what their clause names, before and behind them: "safety isn't important". */
  readonly dismissals: ReadonlyArray<string>
  /** Phrases that exclude what is behind them, and are no negation: "leave out the prices". */
  readonly omissions: ReadonlyArray<string>
  /** Words directly before a name: "a token called Honeypot". */
  readonly naming: ReadonlyArray<string>
  /** Words after which a wish is no longer negated: "no prices, just the pairs". */
  readonly resumes: ReadonlyArray<string>
  /** Words after which capitals stress a word, and name nothing: "a SCAM". */
  readonly stressed: ReadonlyArray<string>
  /** Words between names of one kind, and nothing else: "PEPE or LUNA". */
  readonly links: ReadonlyArray<string>
  /** Marks before the decimals of a number. With two, "1.500" is a number only if both read the same. */
  readonly decimals: ReadonlyArray<"." | ",">
  /** Endings directly behind a number that leave it a number: `nd` of "2nd". */
  readonly ordinals: ReadonlyArray<string>
  /** Nouns between the name of a code and the code itself: "order number 4417". */
  readonly codeNouns: ReadonlyArray<string>
  /** Endings of regular past forms: `ed`. */
  readonly pastEndings: ReadonlyArray<string>
  /** Words with such an ending that are no past forms: `need`. */
  readonly notPast: ReadonlyArray<string>
}
