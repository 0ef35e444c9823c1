/** Words and endings of one language in `words.json` that say when something happens, and who does it. */
import type { Language } from "./languagesOf.ts"
import words from "./words.json" with { type: "json" }

type Form = keyof typeof words.forms

export type WordForms = { readonly [form in Form]: ReadonlySet<string> }

type Lists = { readonly [form in Form]: { readonly [language: string]: ReadonlyArray<string> } }

export const wordFormsOf = (language: Language): WordForms => {
  const lists: Lists = words.forms
  const sets = Object.entries(lists).map(([form, inner]) => [form, new Set(inner[language])])
  return Object.fromEntries(sets) as WordForms
}

export const hasEnding = (word: string, endings: ReadonlySet<string>): boolean => {
  for (const ending of endings) if (word.endsWith(ending)) return true
  return false
}
