/** The likeness of a sentence to commitments: a logistic model of its words, trained on labeled sentences (`bench/promises.ts`). */
import { stemOf } from "./featuresOf.ts"
import model from "./likeness.json" with { type: "json" }

interface Model {
  /** The divisor of the whole numbers of the file. */
  readonly scale: number
  readonly bias: number
  /** Features by weight, with `|` between them. */
  readonly features: { readonly [weight: string]: string }
}

/** A feature, and those that begin with it. */
interface Node {
  readonly weight: number | undefined
  readonly next: Map<string, Node>
}

const { bias, features, scale }: Model = model

let root: Map<string, Node> | undefined

/** Read when a sentence is first asked about: most hosts of the package never ask. */
const firstNodes = (): Map<string, Node> => {
  if (root !== undefined) return root
  root = new Map()
  for (const [weight, names] of Object.entries(features)) {
    for (const name of names.split("|")) {
      const tokens = name.split(" ")
      let nodes = root
      for (const [at, token] of tokens.entries()) {
        const isEnd = at === tokens.length - 1
        const before = nodes.get(token)
        const node: Node = {
          weight: isEnd ? Number(weight) : before?.weight,
          next: before?.next ?? new Map(),
        }
        nodes.set(token, node)
        nodes = node.next
      }
    }
  }
  return root
}

/** Log odds that the tokens from one on are a commitment; 0 is undecided. Of each feature that `featuresOf` has, the weight counts once. */
export const likenessOf = (tokens: ReadonlyArray<string>, from = 0): number => {
  const first = firstNodes()
  const found: Array<Node> = []
  let sum = 0
  const add = (node: Node | undefined): void => {
    // A sentence has few features, and fewer that it repeats.
    if (node?.weight === undefined || found.includes(node)) return
    found.push(node)
    sum += node.weight
  }
  for (let at = from; at < tokens.length; at++) {
    const one = tokens[at]!
    const stem = stemOf(one)
    if (stem !== undefined) add(first.get(stem))
    const node = first.get(one)
    if (node === undefined) continue
    add(node)
    if (at + 1 >= tokens.length) break
    const pair = node.next.get(tokens[at + 1]!)
    add(pair)
    if (at + 2 >= tokens.length) continue
    const last = tokens[at + 2]!
    add(pair?.next.get(last))
    add(node.next.get("_")?.next.get(last))
  }
  return (sum / Math.sqrt(Math.max(1, found.length)) + bias) / scale
}
