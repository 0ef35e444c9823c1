/** The texts in a value that is shown which a model may have written: found, and replaced after their review. */
import type { CompiledValue } from "@planloom/expression"
import type { Json } from "@planloom/plugin/effect"
import type { ModelTexts, Writers } from "../../pipeline/ModelTexts.ts"

type Path = ReadonlyArray<string | number>

/** A text, or the name of a member, at its place in the value. */
export interface ShownText {
  readonly path: Path
  readonly isName: boolean
  readonly text: string
  readonly writers: Writers
}

/** What stands in place of a text. */
export interface ChangedText {
  readonly path: Path
  readonly isName: boolean
  readonly text: string
  readonly isBlocked: boolean
}

type Given = { readonly writers: Writers } | { readonly compiled: CompiledValue }

/** `given`: the writers of the whole value, or the expression that gives it, of which each member has its own. */
export const textsOf = (value: Json, given: Given, texts: ModelTexts): ReadonlyArray<ShownText> => {
  const found: Array<ShownText> = []
  const add = (text: string, path: Path, isName: boolean, writers: Writers): void => {
    if (text.trim() !== "" && !texts.words.has(text)) found.push({ path, isName, text, writers })
  }
  const all = (one: Json, path: Path, writers: Writers): void => {
    if (typeof one === "string") return add(one, path, false, writers)
    if (typeof one !== "object" || one === null) return
    if (Array.isArray(one))
      return one.forEach((item: Json, at) => all(item, [...path, at], writers))
    for (const [key, inner] of Object.entries(one)) {
      add(key, [...path, key], true, writers)
      all(inner as Json, [...path, key], writers)
    }
  }
  const expressed = (one: Json, path: Path, { entries, references }: CompiledValue): void => {
    if (entries === undefined || !isObject(one)) {
      const writers = texts.read(references)
      if (writers.size > 0) all(one, path, writers)
      return
    }
    for (const [key, inner] of entries) {
      if (Object.hasOwn(one, key)) expressed(one[key]!, [...path, key], inner)
    }
  }
  if ("compiled" in given) expressed(value, [], given.compiled)
  else if (given.writers.size > 0) all(value, [], given.writers)
  return found
}

/** The same value without changes. A member whose name was blocked is left out. */
export const withTexts = <A extends Json>(value: A, changes: ReadonlyArray<ChangedText>): A => {
  if (changes.length === 0) return value
  const places = (isName: boolean) =>
    new Map(
      changes.flatMap((one) => (one.isName === isName ? [[keyOf(one.path), one] as const] : [])),
    )
  const texts = places(false)
  const names = places(true)
  const replaced = (one: Json, path: Path): Json => {
    if (typeof one === "string") return texts.get(keyOf(path))?.text ?? one
    if (Array.isArray(one)) return one.map((item: Json, at) => replaced(item, [...path, at]))
    if (!isObject(one)) return one
    const members: { [key: string]: Json } = {}
    for (const [key, inner] of Object.entries(one)) {
      const at = [...path, key]
      const name = names.get(keyOf(at))
      if (name?.isBlocked !== true) members[name?.text ?? key] = replaced(inner, at)
    }
    return members
  }
  return replaced(value, []) as A
}

const keyOf = (path: Path): string => JSON.stringify(path)

const isObject = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value)
