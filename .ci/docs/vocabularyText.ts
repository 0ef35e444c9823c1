/** The general English vocabulary as the file that ships it. */
import type { Vocabulary } from "@planloom/analyst"

const head = `# yaml-language-server: $schema=../.planloom/schema/vocabulary.json
apiVersion: planloom/v1
kind: Vocabulary
name: vocabulary
description: How people ask about tables in English. List a vocabulary of your own beside it to add the words of a domain.

# These are all the words there are; a vocabulary without \`base: none\` adds its words to them.
base: none
`

const said: { readonly [key in keyof Vocabulary]: string } = {
  synonyms: "Words for one thing each: a column called one of them is found by all of them.",
  analysis: "What is to be found out.",
  grains: "Intervals of time.",
  outputs: "What comes back.",
  charts: "Kinds of chart.",
  negations: 'Words that refuse what follows them: "no chart", "excluding Europe".',
  most: '"the heaviest cars" asks for the most of a weight.',
  least: '"the lightest cars" asks for the least of it.',
  rows: "What people call the rows of a table.",
  silent: "Words that carry no request.",
}

/** YAML 1.1 readers take some of these for something else; the others only look as if. */
const special = /^(true|false|null|yes|no|on|off|y|n)$/i

const scalar = (word: string): string =>
  /^[a-z][a-z0-9' -]*$/i.test(word) && !special.test(word) ? word : JSON.stringify(word)

/** A list in brackets, over as many lines as it needs. */
const list = (words: ReadonlyArray<string>, lead: string, indent: string): string => {
  const items = words.map(scalar)
  const single = `${lead}[${items.join(", ")}]`
  if (single.length <= 100) return single
  const lines: Array<string> = []
  for (const item of items) {
    const line = lines.at(-1)
    if (line === undefined || line.length + item.length > 97) lines.push(`${indent}  ${item},`)
    else lines[lines.length - 1] = `${line} ${item},`
  }
  return [`${lead}[`, ...lines, `${indent}]`].join("\n")
}

const section = (key: keyof Vocabulary, vocabulary: Vocabulary): string => {
  const value = vocabulary[key]
  const lines = (): ReadonlyArray<string> => {
    if (key === "synonyms") return vocabulary.synonyms.map((group) => list(group, "  - ", "  "))
    if (key === "most" || key === "least") {
      return Object.entries(vocabulary[key]).map(([word, of]) => `  ${scalar(word)}: ${of}`)
    }
    return Object.entries(value as { readonly [label: string]: ReadonlyArray<string> }).map(
      ([label, words]) => list(words, `  ${label}: `, "  "),
    )
  }
  const body = Array.isArray(value) && key !== "synonyms"
  const text = body
    ? list(value as ReadonlyArray<string>, `${key}: `, "")
    : [`${key}:`, ...lines()].join("\n")
  return `\n# ${said[key]}\n${text}\n`
}

export const vocabularyText = (vocabulary: Vocabulary): string =>
  head +
  (Object.keys(said) as ReadonlyArray<keyof Vocabulary>)
    .map((key) => section(key, vocabulary))
    .join("")
