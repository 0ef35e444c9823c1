/** How alike two short texts are, from 0 to 1: words and groups of three letters that they share. */

export const similarity = (a: string, b: string): number => {
  const [left, right] = [gramsOf(a), gramsOf(b)]
  let shared = 0
  for (const gram of left) if (right.has(gram)) shared++
  return left.size + right.size === 0 ? 0 : (2 * shared) / (left.size + right.size)
}

const gramsOf = (text: string): ReadonlySet<string> => {
  const words =
    text
      .normalize("NFD")
      .replaceAll(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  return new Set(
    words.flatMap((word) => {
      const padded = ` ${word} `
      return [word, ...[...padded].slice(2).map((_, at) => padded.slice(at, at + 3))]
    }),
  )
}
