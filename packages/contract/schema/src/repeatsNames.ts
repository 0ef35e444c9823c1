/** Finds out whether JSON text has an object with duplicate names, of which `JSON.parse` keeps the last. */
import { mayRepeatNames, membersOf } from "./mayRepeatNames.ts"
import type { Json } from "./Schema.ts"

/** Whether valid JSON has duplicate names: more names than members in its value. */
export const repeatsNames = (text: string, value: Json): boolean =>
  mayRepeatNames(text, value) && namesIn(text) > membersOf(value)

/** Strings of valid JSON that a colon follows. */
const namesIn = (text: string): number => {
  let names = 0
  for (let quote = text.indexOf('"'); quote >= 0; quote = text.indexOf('"', quote)) {
    quote = endOfString(text, quote)
    while (text.charCodeAt(quote) <= 32) quote++
    if (text[quote] === ":") names++
  }
  return names
}

/** The index after the string that starts at `quote`. */
const endOfString = (text: string, quote: number): number => {
  let at = quote + 1
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1
  return at + 1
}
