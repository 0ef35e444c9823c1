/** Expression functions that compare the ids which a search returned with those that are relevant. */
import type { Json } from "@planloom/plugin/effect"
import { define, fail, show } from "./ExpressionFunction.ts"
import type { ArgumentIssue, ExpressionFunction } from "./ExpressionFunction.ts"
import { itemOf } from "./listFunctions.ts"
import { describeType, fits, int, listOf, number, string, union } from "../infer/Type.ts"
import type { Type } from "../infer/Type.ts"

const ids: Type = listOf(union([string, number]))

type Ids = ReadonlyArray<string | number>

/** Ids of another type are never equal, which would count as a miss. */
const sameTypes = ([returned, relevant]: ReadonlyArray<Type>): ArgumentIssue | undefined => {
  const [found, wanted] = [itemOf(returned), itemOf(relevant)]
  const both = [string, number].some((type) => fits(found, type) && fits(wanted, type))
  const isKnown = [found, wanted].every((type) => fits(type, string) || fits(type, number))
  return both || !isKnown
    ? undefined
    : {
        index: 1,
        code: "PL1203",
        message: `the returned ids are ${describeType(found)}, the relevant ones ${describeType(wanted)}: none can be equal`,
        help: "make them the same: ids.map(id, string(id))",
      }
}

const idsOf = (list: Ids, name: string): Ids => {
  const wrong: Json | undefined = list.find((id) => !["string", "number"].includes(typeof id))
  return wrong === undefined
    ? list
    : fail(`${name}() compares ids, which are texts or numbers, not ${show(wrong)}`)
}

/** Of a query without a relevant id no figure is right or wrong. */
const relevantSet = (list: Ids, name: string): ReadonlySet<string | number> =>
  list.length === 0
    ? fail(`${name}() has no relevant ids, and is not defined without any`)
    : new Set(idsOf(list, name))

/**
 * For each of the first `most` places whether a relevant id stands there that no earlier place has: passages of one
 * document count where its first one stands.
 */
const hitsIn = (
  returned: Ids,
  relevant: ReadonlySet<string | number>,
  name: string,
  most: number,
): ReadonlyArray<boolean> => {
  if (most < 1) fail(`${name}() counts at least the first place, not ${most}`)
  const open = new Set(relevant)
  return idsOf(returned, name)
    .slice(0, most)
    .map((id) => open.delete(id))
}

/** The share of the relevant documents among the first k (C. D. Manning, P. Raghavan and H. Schütze, "Introduction to Information Retrieval", 2008, 8.4). */
const recallAt = (returned: Ids, relevant: Ids, k: number): number => {
  const wanted = relevantSet(relevant, "recall_at")
  return hitsIn(returned, wanted, "recall_at", k).filter(Boolean).length / wanted.size
}

/** The reciprocal rank, whose mean over queries is the MRR (E. M. Voorhees, "The TREC-8 question answering track report", TREC 1999). */
const reciprocalRank = (returned: Ids, relevant: Ids): number => {
  const wanted = relevantSet(relevant, "mrr")
  return 1 / (hitsIn(returned, wanted, "mrr", Infinity).indexOf(true) + 1 || Infinity)
}

/**
 * Discounted cumulated gain over that of the ideal order (K. Järvelin and J. Kekäläinen, "Cumulated gain-based evaluation
 * of IR techniques", ACM TOIS 20 (2002) 422–446), with gains 0 and 1 and the discount log₂(1 + rank) of C. Burges et al.,
 * "Learning to rank using gradient descent", ICML 2005.
 */
const ndcg = (returned: Ids, relevant: Ids, k = Infinity): number => {
  const wanted = relevantSet(relevant, "ndcg")
  const gain = cumulated(hitsIn(returned, wanted, "ndcg", k))
  return gain / cumulated(Array.from({ length: Math.min(wanted.size, k) }, () => true))
}

const cumulated = (hits: ReadonlyArray<boolean>): number =>
  hits.reduce((sum, hit, index) => (hit ? sum + 1 / Math.log2(index + 2) : sum), 0)

export const retrievalFunctions = (): ReadonlyArray<ExpressionFunction> => [
  define("recall_at(returned: list, relevant: list, k: int) → number", {
    summary:
      "The share of the relevant ids that are among the first k returned ones. Fails without relevant ids.",
    example: ["['a', 'b', 'c'].recall_at(['c', 'd'], 3)", 0.5],
    params: [ids, ids, int],
    returns: number,
    check: sameTypes,
    apply: recallAt,
  }),
  define("mrr(returned: list, relevant: list) → number", {
    summary:
      "One over the place of the first relevant id, 0 if none is returned; its mean over queries is the mean reciprocal rank. Fails without relevant ids.",
    example: ["['a', 'b', 'c'].mrr(['b', 'c'])", 0.5],
    params: [ids, ids],
    returns: number,
    check: sameTypes,
    apply: reciprocalRank,
  }),
  define("ndcg(returned: list, relevant: list, k?: int) → number", {
    summary:
      "The normalized discounted cumulated gain of the first k ids, or of all: 1 if every relevant id stands before every other one. Fails without relevant ids.",
    example: ["['a', 'b'].ndcg(['a'])", 1],
    params: [ids, ids, int],
    optional: 1,
    returns: number,
    check: sameTypes,
    apply: ndcg,
  }),
]
