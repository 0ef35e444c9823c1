/** Figures of retrieval: their values, their bounds, and what they refuse. */
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { cases } from "../../../../../.config/cases.ts"
import { compileExpression } from "../Expression.ts"
import { infer } from "../infer/infer.ts"
import { any, int, listOf, string } from "../infer/Type.ts"
import { parseExpression } from "../syntax/parse.ts"

const value = (source: string, scope: object = {}) =>
  compileExpression(source).evaluate(scope as never)

it("recall_at counts the relevant ids among the first k", () => {
  expect(value("['a', 'b', 'c', 'd'].recall_at(['d', 'a'], 3)")).toBe(0.5)
  expect(value("['a', 'b', 'c', 'd'].recall_at(['d', 'a'], 4)")).toBe(1)
  expect(value("[].recall_at(['a'], 5)")).toBe(0)
  expect(value("[3, 1].recall_at([1, 2, 2], 9)")).toBe(0.5)
})

it("mrr is one over the place of the first relevant id", () => {
  expect(value("['a', 'b', 'c'].mrr(['c', 'b'])")).toBe(0.5)
  expect(value("['a'].mrr(['a'])")).toBe(1)
  expect(value("['a', 'b'].mrr(['c'])")).toBe(0)
})

it("ndcg discounts each relevant id by its place, and divides by the ideal order", () => {
  // The gains are 1 at the places 1 and 3: (1 + 1/2) / (1 + 1/log2(3)).
  expect(value("['a', 'x', 'b'].ndcg(['a', 'b'])")).toBeCloseTo(1.5 / (1 + 1 / Math.log2(3)), 12)
  // Of three relevant ids only one fits into the first place.
  expect(value("['a', 'x'].ndcg(['a', 'b', 'c'], 1)")).toBe(1)
  expect(value("['x', 'a'].ndcg(['a'])")).toBeCloseTo(1 / Math.log2(3), 12)
})

it("counts an id once, at its first place", () => {
  expect(value("['a', 'a', 'b'].recall_at(['a', 'b'], 2)")).toBe(0.5)
  expect(value("['a', 'a'].ndcg(['a', 'b'])")).toBeCloseTo(1 / (1 + 1 / Math.log2(3)), 12)
})

it.each(["recall_at(ids, [], 3)", "mrr(ids, [])", "ndcg(ids, [])"])(
  "%s fails, because it has no relevant ids",
  (source) => {
    expect(() => value(source, { ids: ["a"] })).toThrow(
      `${source.slice(0, source.indexOf("("))}() has no relevant ids`,
    )
  },
)

it("fails for a place before the first, and for values that are no ids", () => {
  expect(() => value("['a'].recall_at(['a'], 0)")).toThrow("at least the first place, not 0")
  expect(() => value("['a'].ndcg(['a'], -1)")).toThrow("at least the first place, not -1")
  expect(() => value("hits.mrr(['a'])", { hits: [{ id: "a" }] })).toThrow(
    'mrr() compares ids, which are texts or numbers, not {"id":"a"}',
  )
  expect(() => value("hits.mrr(['a'])", { hits: "a" })).toThrow("mrr() cannot work on")
})

const issuesOf = (source: string) =>
  infer(parseExpression(source), source, {
    roots: {
      texts: { type: listOf(string), optional: false },
      numbers: { type: listOf(int), optional: false },
      row: { type: any, optional: false },
    },
    unknownRoot: () => ({ code: "PL1101", message: "unknown" }),
  }).issues.map(({ message }) => message)

it("is checked: ids have one type, and objects are none", () => {
  expect(issuesOf("texts.recall_at(numbers, 3)")).toEqual([
    "the returned ids are text, the relevant ones a whole number: none can be equal",
  ])
  expect(issuesOf("[{'id': 'a'}].mrr(texts)")[0]).toMatch(/^mrr\(\) works on a list of/)
  expect(
    issuesOf("texts.recall_at(row.relevant, 3) + texts.mrr([]) + numbers.ndcg(row.ids)"),
  ).toEqual([])
})

const someIds = fc.array(fc.constantFrom<string[]>("a", "b", "c", "d", "e", "f"), { maxLength: 9 })

it("has figures from 0 to 1 that only a better order raises", () => {
  fc.assert(
    fc.property(
      someIds,
      fc.array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 9 }),
      (returned, relevant, k) => {
        const at = (source: string, ids: ReadonlyArray<string>) =>
          value(source, { ids, relevant, k }) as number
        const wanted = new Set<string>(relevant)
        const first = new Set(returned.slice(0, k))
        expect(at("ids.recall_at(relevant, k)", returned)).toBe(
          [...wanted].filter((id) => first.has(id)).length / wanted.size,
        )
        const better = [...new Set([...returned.filter((id) => wanted.has(id)), ...returned])]
        for (const source of [
          "ids.recall_at(relevant, k)",
          "ids.mrr(relevant)",
          "ids.ndcg(relevant, k)",
        ]) {
          const figure = at(source, returned)
          expect(figure).toBeGreaterThanOrEqual(0)
          expect(figure).toBeLessThanOrEqual(1)
          expect(at(source, better)).toBeGreaterThanOrEqual(figure - 1e-12)
          expect(at(source, [...wanted, ...returned])).toBe(
            source.includes("recall") ? Math.min(k, wanted.size) / wanted.size : 1,
          )
        }
      },
    ),
    { numRuns: cases(200) },
  )
})
