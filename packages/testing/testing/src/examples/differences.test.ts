/** Where an output differs from what an example expects. */
import { expect, it } from "vitest"
import { differences } from "./differences.ts"

it("accepts additional entries of an object at every depth", () => {
  expect(differences({ a: { b: 1 } }, { a: { b: 1, c: 2 }, d: 3 })).toEqual([])
  expect(differences([{ a: 1 }], [{ a: 1, b: 2 }])).toEqual([])
})

it("requires the order and the length of a list", () => {
  expect(differences({ tools: ["a", "b"] }, { tools: ["b", "a"] })).toHaveLength(2)
  expect(differences({ tools: [] }, { tools: ["a"] })).toEqual(['tools: expected [], found ["a"]'])
})

it("names the path of a missing value or a value of another type", () => {
  expect(differences({ a: { b: [1, { c: null }] } }, { a: { b: [1, {}] } })).toEqual([
    "a.b[1].c: expected null, found nothing",
  ])
  expect(differences({}, "text")).toEqual(['expected {}, found "text"'])
  expect(differences({ constructor: 1 }, {})).toEqual(["constructor: expected 1, found nothing"])
})
