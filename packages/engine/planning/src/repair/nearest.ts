/** Finds the known name that a misspelled one most likely means. */
import { editDistance, toleratedTypos } from "./editDistance.ts"

const folded = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "")

/** The one name that differs by case or separators at most. */
export const sameName = (wanted: string, names: ReadonlyArray<string>): string | undefined => {
  const word = folded(wanted)
  const same = names.filter((name) => folded(name) === word)
  return word === "" || same.length !== 1 ? undefined : same[0]
}

/**
 * The one name that differs by case, separators or a few slips; undefined if no name matches, or if
 * two match equally well.
 */
export const nearest = (wanted: string, names: ReadonlyArray<string>): string | undefined => {
  const word = folded(wanted)
  if (word === "") return undefined
  const limit = toleratedTypos(word)
  const near = names
    .map((name) => ({ name, distance: editDistance(word, folded(name), limit) }))
    .filter(({ distance }) => distance <= limit)
    .toSorted((left, right) => left.distance - right.distance)
  const [first, second] = near
  return first === undefined || first.distance === second?.distance ? undefined : first.name
}

/** The nearest name as the suggestion of an issue. */
export const suggest = (wanted: string, names: ReadonlyArray<string>) => {
  const suggestion = nearest(wanted, names)
  return suggestion === undefined ? {} : { suggestion }
}
