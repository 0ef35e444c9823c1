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
  /** Owners of a person who is named behind a noun: "my brother Mateo". */
  readonly possessives: ReadonlyArray<string>
  /** Words before values that take the place of those given before: "no, 25". */
  readonly amends: ReadonlyArray<string>
  /** Words that join two wishes. */
  readonly conjunctions: ReadonlyArray<string>
  /** Words without content: articles, auxiliaries, pronouns, politeness. */
  readonly functionWords: ReadonlyArray<string>
  readonly operators: { readonly [operator in Operator]: ReadonlyArray<string> }
  /** Phrases with a negation that doubt, ask or state, and exclude nothing from a wish: "not sure", "isn't". */
  readonly doubts: ReadonlyArray<string>
  /** Fixed phrases whose words do not have their own sense: "better safe than sorry". */
  readonly idioms: ReadonlyArray<string>
  /**
   * Phrases that waive what their clause names, before and behind them: "safety isn't important". In these and the
   * next two, `…` stands for any words.
   */
  readonly dismissals: ReadonlyArray<string>
  /** Phrases that report what is known, so that their clause asks for nothing: "I know it is risky". */
  readonly known: ReadonlyArray<string>
  /** Pronouns with a verb that begin a statement: "it's a scam". */
  readonly claims: ReadonlyArray<string>
  /** Words that begin an account of what was: "I", "my". */
  readonly subjects: ReadonlyArray<string>
  /** Past forms that ask all the same: "I wanted to know". */
  readonly pleas: ReadonlyArray<string>
  /** Phrases that ask whether what was stated is true: "is he right?" */
  readonly confirmations: ReadonlyArray<string>
  /** Phrases before what others say: "a friend says it's a scam". */
  readonly reports: ReadonlyArray<string>
  /** Phrases that waive what is behind them: "leave out the prices"; with nothing behind them, what is before. */
  readonly omissions: ReadonlyArray<string>
  /** Negations and omissions that leave out things of a kind: "no scams", "skip the scams". */
  readonly filters: ReadonlyArray<string>
  /** Phrases that lead in what is asked for in place of what was before: "actually just the price". */
  readonly corrections: ReadonlyArray<string>
  /** Negations that repeat the one before them: "nor". */
  readonly echoes: ReadonlyArray<string>
  /** Negations that stand apart from the verb behind them: "no, skip it". */
  readonly exclamations: ReadonlyArray<string>
  /** Nouns and verbs that stand for a wish that was named before: "scratch that last part", "no need to redo it". */
  readonly anaphors: ReadonlyArray<string>
  /** Words directly before a name: "a token called Honeypot". */
  readonly naming: ReadonlyArray<string>
  /** Words after which a wish is no longer negated: "no prices, just the pairs". */
  readonly resumes: ReadonlyArray<string>
  /** The same, behind a thing that was negated: "rather than the prices show me the pairs". */
  readonly requests: ReadonlyArray<string>
  /** Words after which capitals stress a word, and name nothing: "a SCAM". */
  readonly stressed: ReadonlyArray<string>
  /** Words of a clause in which `sides` are links, too: "compare PEPE with LUNA". */
  readonly comparisons: ReadonlyArray<string>
  readonly sides: ReadonlyArray<string>
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
