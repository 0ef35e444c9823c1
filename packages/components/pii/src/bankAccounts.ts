/** Numbers of bank accounts and banks in Mexico, Argentina and the United States. */
import { fillsTen, isOneDigit, weighted } from "./checkDigits.ts"
import { namedNumbers } from "./namedNumbers.ts"

const ACCOUNT =
  "accounts?|cuentas?|cta|beneficiari[oa]s?|beneficiary|bancos?|banks?|bancari[oa]s?|transf\\p{L}+|d[eé]p[oó]sit\\p{L}*|wires?|payouts?|(?:re)?pa(?:y|gos?|gar|guen?)|env[ií]\\p{L}+|sen[dt]|sending|sender|receiver?s?|recipients?|dinero|plata|money|funds?|fondos"

/** Codes of banks, and of brokers and other institutions, in Mexico. */
const BANK = /^(?:0|1[0-7]|6|7[0-4]|90)/

const isClabe = (digits: string): boolean =>
  BANK.test(digits) && fillsTen(weightedUnits(digits.slice(0, 17))) === Number(digits[17])

/** Units of each product alone are added up. */
const weightedUnits = (digits: string): number => {
  let sum = 0
  for (let place = 0; place < digits.length; place++) {
    sum += (Number(digits[place]) * [3, 7, 1][place % 3]!) % 10
  }
  return sum
}

/** Mexico: bank, place, account, check digit. */
export const clabe = namedNumbers({
  kind: "clabe",
  fewest: 18,
  forms: [
    { pattern: "\\d{3}([ -])\\d{3}\\1\\d{11}\\1\\d", isValid: isClabe },
    {
      pattern:
        "\\d{18}|\\d{4}(?:[ -]\\d{4}){3}[ -]\\d{2}|\\d{3}(?:[ -]\\d{3}){5}|\\d{6}(?:[ -]\\d{6}){2}",
      isValid: isClabe,
      near: `clabes?|interbancari[oa]s?|spei|${ACCOUNT}`,
    },
  ],
})

const isCbu = (digits: string): boolean =>
  !isOneDigit(digits) &&
  fillsTen(weighted(digits.slice(0, 7), [7, 1, 3, 9])) === Number(digits[7]) &&
  fillsTen(weighted(digits.slice(8, 21), [3, 9, 7, 1])) === Number(digits[21])

/** Argentina: bank and branch, and account, each with a check digit; also of virtual accounts (CVU). */
export const cbu = namedNumbers({
  kind: "cbu",
  fewest: 22,
  forms: [
    { pattern: "\\d{8}[ -]\\d{14}|\\d{7}-\\d[ -]\\d{13}-\\d", isValid: isCbu },
    {
      pattern:
        "\\d{22}|\\d{3}[ -]\\d{4}[ -]\\d[ -]\\d{13}[ -]\\d|\\d{4}(?:[ -]\\d{4}){4}[ -]\\d{2}",
      isValid: isCbu,
      near: `cbus?|cvus?|alias|${ACCOUNT}`,
    },
  ],
})

/** Prefixes of the Federal Reserve's districts, of thrifts, of electronic payments, and of travelers' checks. */
const isRouting = (digits: string): boolean =>
  /^(?:0[1-9]|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)/.test(digits) &&
  weighted(digits, [3, 7, 1]) % 10 === 0

/** Nine digits of an American bank. */
export const routing = namedNumbers({
  kind: "routing",
  fewest: 9,
  forms: [
    {
      pattern: "\\d{9}|\\d{4}[ -]\\d{4}[ -]\\d|\\d{3}[ -]\\d{3}[ -]\\d{3}",
      isValid: isRouting,
      near: "routing|ruta|enrutamiento|aba|rtn|r\\/t|transit|ach|wires?|wiring|direct deposits?|dep[oó]sitos? directos?",
    },
  ],
})
