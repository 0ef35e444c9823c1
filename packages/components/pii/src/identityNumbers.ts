/** Numbers of persons and taxpayers in Brazil, Spain, Portugal and Argentina. */
import { isOneDigit, fillsTen, ofEleven, weighted, weightsFrom } from "./checkDigits.ts"
import { namedNumbers, type NumberForm } from "./namedNumbers.ts"

const isCpf = (digits: string): boolean =>
  !isOneDigit(digits) &&
  ofEleven(weighted(digits.slice(0, 9), weightsFrom(10))) === Number(digits[9]) &&
  ofEleven(weighted(digits.slice(0, 10), weightsFrom(11))) === Number(digits[10])

/** Brazil: nine digits and two check digits. */
export const cpf = namedNumbers({
  kind: "cpf",
  fewest: 11,
  forms: [
    { pattern: "\\d{3}\\.\\d{3}\\.\\d{3}[-/.]\\d{2}|\\d{9}-\\d{2}", isValid: isCpf },
    {
      pattern: "\\d{11}|\\d{3} \\d{3} \\d{3}[ -]\\d{2}",
      isValid: isCpf,
      near: "cpfs?|cadastro|contribuinte|documentos?|identidade|tax(?:payer)?",
    },
  ],
})

const LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"

/** A letter that follows from the digits; of a foreigner, X, Y and Z stand for the first. */
const isSpanishPerson = (characters: string): boolean => {
  const digits = characters.slice(0, -1).replace(/^[XYZ]/, (first) => String("XYZ".indexOf(first)))
  return LETTERS[Number(digits) % LETTERS.length] === characters.at(-1)
}

/** Names of identity documents. */
const PERSON =
  "dni|nie|nif|d\\.n\\.i\\.?|n\\.i\\.[fe]\\.?|documentos?|identi[dtf]\\p{L}*|ids?|carn[eé]t?|c[eé]dula|ciudadan\\p{L}+|national|titular"

const spanishPersons: ReadonlyArray<NumberForm> = [
  {
    pattern: "\\d{1,2}\\.\\d{3}\\.\\d{3}[ -]?[A-Z]|[XYZ]-\\d{7}-[A-Z]",
    isValid: isSpanishPerson,
  },
  {
    pattern: "\\d{7,8}[ -]?[A-Z]|[XYZ][ -]?\\d{7}[ -]?[A-Z]",
    isValid: isSpanishPerson,
    near: PERSON,
  },
]

/** Spain: digits and a letter. Argentina: digits alone, which only a name distinguishes from others. */
export const dni = namedNumbers({
  kind: "dni",
  fewest: 7,
  forms: [
    ...spanishPersons,
    {
      pattern: "(?:\\d{1,2}\\.\\d{3}\\.\\d{3}|\\d{7,8})(?!-[A-Z])",
      isValid: () => true,
      before: "dni|d\\.n\\.i\\.?|documento(?: nacional)?(?: de identidad)?",
    },
  ],
})

/** Persons without a number of their own: the letter follows from the digits. */
const isOtherPerson = (characters: string): boolean => isSpanishPerson(characters.slice(1))

/** Luhn's sum from the left; the control character is its digit, or the letter of that place. */
const isSpanishCompany = (characters: string): boolean => {
  let sum = 0
  for (let place = 1; place < 8; place++) {
    const value = Number(characters[place]) * (place % 2 === 1 ? 2 : 1)
    sum += value > 9 ? value - 9 : value
  }
  const digit = fillsTen(sum)
  return characters[8] === String(digit) || characters[8] === "JABCDEFGHI"[digit]
}

const isPortuguese = (characters: string): boolean => {
  const digits = characters.replace(/^PT/, "")
  return (
    /^(?:[125689]|3[0-9]|45|7[0124579])/.test(digits) &&
    ofEleven(weighted(digits.slice(0, 8), weightsFrom(9))) === Number(digits[8])
  )
}

const TAXPAYER =
  "ni[fe]|n\\.i\\.f\\.?|cif|c\\.i\\.f\\.?|nipc|contribuintes?|fisca(?:l|is|les)|hacienda|tax(?:payer)?|vat|iva|facturas?|facturar|fatur\\p{L}+|empresas?|sociedad|mercantil|company|s\\.?l\\.?u?\\.?|s\\.?a\\.?|lda\\.?"

/** Taxpayers in Spain, persons and companies, and in Portugal. */
export const nif = namedNumbers({
  kind: "nif",
  fewest: 7,
  forms: [
    ...spanishPersons,
    { pattern: "[A-HJNP-SUVW][ -]?\\d{7}[ -]?[0-9A-J]", isValid: isSpanishCompany, near: TAXPAYER },
    { pattern: "[KLM]\\d{7}[A-Z]", isValid: isOtherPerson, near: PERSON },
    {
      pattern: "(?:PT ?)?(?:\\d{9}|\\d{3}([ .-])\\d{3}\\1\\d{3})",
      isValid: isPortuguese,
      near: TAXPAYER,
    },
  ],
})
