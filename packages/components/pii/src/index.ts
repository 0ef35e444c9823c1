/** Personal data in a text: where it is, and which end of a text more text could turn into some. */
export { hasLuhnDigit } from "./cards.ts"
export { isPhoneCountry } from "./phones.ts"
export * from "./PiiKind.ts"
export * from "./piiFinder.ts"
export { plainText, type PlainText } from "./plainText.ts"
