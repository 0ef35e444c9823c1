/** The labeled questions on documentation, and the folder of the documents that answer them. */
import { hash } from "node:crypto"
import { cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

export interface Answer {
  /** A path of the repository, `npm:NAME` or `npm:NAME@MAJOR`. */
  readonly file: string
  readonly text: string
  /** Places of the file that say it; one unless given. */
  readonly times?: number
}

export interface Question {
  readonly ask: string
  /** Pieces of the passages that answer it; one of them is enough. */
  readonly answers: ReadonlyArray<Answer>
}

const root = fileURLToPath(new URL("../../../..", import.meta.url))
const store = join(root, "node_modules/.pnpm")
const linesOf = (name: string) =>
  readFileSync(fileURLToPath(new URL(`data/${name}`, import.meta.url)), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown)

/** Packages beside those with a question, so that an answer is looked for among many. */
const others =
  "ajv bignumber.js cac chai d3-array d3-geo-projection effect eld expect-type fast-check fast-uri formatly get-tsconfig gpt-tokenizer ipaddr.js jose json-schema-to-ts jsonc-parser long picomatch protobufjs pure-rand re2js sade smol-toml source-map-js tinybench vega-loader vega-statistics vega-time vega-util yaml zod".split(
    " ",
  )

/** Half of the questions, by a seeded hash of their words, is not looked at while the ranking is changed. */
export const isHeldOut = ({ ask }: Question): boolean =>
  Number.parseInt(hash("sha256", `held out 1 ${ask}`).slice(0, 8), 16) % 2 === 1

/** They were written from the documents alone, in words of users, before the ranking that they measure. */
export const questions = (): ReadonlyArray<Question> =>
  linesOf("questions.jsonl") as ReadonlyArray<Question>

/**
 * Three other wordings of each question, by a language model that saw the question and no document. It had seen answers of the
 * half that is not held out, so what they find there is no measure.
 */
export const wordingsOf = (): ReadonlyMap<string, ReadonlyArray<string>> => {
  const rows = linesOf("wordings.jsonl") as ReadonlyArray<{
    readonly ask: string
    readonly wordings: ReadonlyArray<string>
  }>
  return new Map(rows.map(({ ask, wordings }) => [ask, wordings]))
}

/** Copies the documents into a folder: `docs/…` and `npm/NAME.md`. */
export const copyCorpus = (folder: string): void => {
  cpSync(join(root, "docs"), join(folder, "docs"), { recursive: true })
  const asked = questions().flatMap(({ answers }) => answers.map((one) => one.file))
  for (const name of new Set([...asked.filter(isPackage), ...others.map((one) => `npm:${one}`)])) {
    const target = join(folder, pathOf(name))
    mkdirSync(dirname(target), { recursive: true })
    cpSync(readmeOf(name), target)
  }
}

/** The path of a document in the copied folder. */
export const pathOf = (name: string): string =>
  isPackage(name) ? `npm/${partsOf(name).name}.md` : name

const isPackage = (name: string): boolean => name.startsWith("npm:")

const partsOf = (name: string) => {
  const [, pkg = "", major = ""] = /^npm:(.+?)(?:@(\d+))?$/.exec(name) ?? []
  return { name: pkg, major }
}

const readmeOf = (name: string): string => {
  const { major, name: pkg } = partsOf(name)
  const found = readdirSync(store).find((one) => one.startsWith(`${pkg}@${major}`))
  if (found === undefined) throw new Error(`the package ${name} is not installed`)
  const folder = join(store, found, "node_modules", pkg)
  const readme = readdirSync(folder).find((one) => /^readme\.md$/i.test(one))
  if (readme === undefined) throw new Error(`the package ${name} has no README`)
  return join(folder, readme)
}

const plain = (text: string): string => text.replace(/\s+/g, " ")

interface Passage {
  readonly path: string
  readonly text: string
}

export const isAnswered = ({ answers }: Question, { path, text }: Passage): boolean =>
  answers.some((one) => pathOf(one.file) === path && plain(text).includes(plain(one.text)))

/** Most passages that a model reads of a search, and most characters. */
export const MOST = { passages: 5, characters: 6000 }

/** The rank of the first passage that answers, from 1, within what a model reads; 0 where none does. */
export const rankOf = (question: Question, passages: ReadonlyArray<Passage>): number => {
  let characters = 0
  const read = passages
    .slice(0, MOST.passages)
    .filter(({ text }) => (characters += text.length) <= MOST.characters)
  return read.findIndex((passage) => isAnswered(question, passage)) + 1
}
