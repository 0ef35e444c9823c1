/** Gives the codes of a request to params: each to the only one that takes it, by its name or its pattern. */
import type { JsonObject } from "@planloom/plugin/effect"
import type { RequestText, Undecided } from "./CallReading.ts"
import type { Code } from "./findCodes.ts"
import { readDays } from "./readDays.ts"
import { readNumber } from "./readNumber.ts"
import type { SpokenParam } from "./SpokenParam.ts"
import type { Word } from "./words/Word.ts"

interface Chosen {
  readonly given: ReadonlyArray<readonly [SpokenParam, Code]>
  /** Codes that no param was given: none of them is a number. */
  readonly open: ReadonlyArray<Code>
  readonly undecided: Undecided | undefined
}

interface Given {
  readonly codes: ReadonlyArray<Code>
  readonly declared: ReadonlyArray<SpokenParam>
  readonly params: JsonObject
  readonly request: RequestText
  /** Words without a use so far. */
  readonly free: ReadonlyArray<Word>
}

/** Whether a code is digits of a day that further words name, such as the 2023 of "in 2023". */
const isOfDay = ({ isNamed, word }: Code, { text, today }: RequestText): boolean =>
  !isNamed &&
  /^[\d./-]+$/.test(word.text) &&
  readDays(text, today)?.spans.some(
    ({ end, start }) =>
      start <= word.start && word.end <= end && end - start > word.end - word.start,
  ) === true

/** Codes without those that must be numbers, because the tool needs more of them than there are. */
const withoutNumbers = (given: Given): ReadonlyArray<Code> => {
  const { codes, declared, free, params, request } = given
  const isNumber = ({ word }: Word) => readNumber(word, request.grammar) !== undefined
  const needed = declared.filter(
    ({ name, required, takes }) => takes === "number" && required && params[name] === undefined,
  ).length
  const others = free.filter(
    (word) => isNumber(word) && !codes.some((code) => code.word.start === word.start),
  ).length
  return needed > others ? codes.filter(({ isNamed, word }) => isNamed || !isNumber(word)) : codes
}

/** The codes that are the only ones of a param, each with what params it has besides. */
const onlyOnes = (codes: ReadonlyArray<Code>, isOpen: (param: SpokenParam) => boolean) => {
  const taken = codes.map((code) => ({ code, params: code.fits.filter(isOpen) }))
  return taken.filter(({ code, params }) =>
    params.every((param) => taken.every((one) => one.code === code || !one.params.includes(param))),
  )
}

export const chooseCodes = (input: Given): Chosen => {
  const { params, request } = input
  const given = new Map<SpokenParam, Code>()
  for (const code of input.codes) {
    const answered = code.fits.find(({ name }) => params[name] === code.word.text)
    if (answered !== undefined) given.set(answered, code)
  }
  const isOpen = (param: SpokenParam) => params[param.name] === undefined && !given.has(param)
  const codes = withoutNumbers(input).filter((code) => !isOfDay(code, request))
  const give = (some: ReadonlyArray<Code>) => {
    const found = onlyOnes(some, isOpen)
    for (const {
      code,
      params: [only, ...others],
    } of found)
      if (only !== undefined && others.length === 0) given.set(only, code)
    return found
  }
  const isLeft = (code: Code) => ![...given.values()].includes(code)
  give(codes.filter((code) => code.isNamed && isLeft(code)))
  const [doubtful, ...more] = give(codes.filter(isLeft)).filter((one) => one.params.length > 1)
  return {
    given: [...given],
    open: codes.filter((code) => isLeft(code) && code.fits.some(isOpen)),
    undecided:
      doubtful === undefined || more.length > 0
        ? undefined
        : { word: doubtful.code.word, params: doubtful.params },
  }
}
