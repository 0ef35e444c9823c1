import type { Estimate } from "@planloom/estimate"
import { expect, it } from "vitest"
import { costGate } from "./costGate.ts"

const worst = (calls: number, most: number | undefined): { readonly worst: Estimate["worst"] } => {
  const range = (value: number) => ({ least: 0, most: value })
  const total = {
    calls: range(calls),
    tokens: range(1),
    toolCalls: range(0),
    refusals: range(0),
    cost: most === undefined ? undefined : range(most),
  }
  return { worst: { total, parts: {}, unknown: [], openLists: [] } }
}

it.each([
  ["a run without model calls", {}, worst(0, undefined), undefined],
  ["a run that costs the limit", {}, worst(1, 0.5), undefined],
  ["a run that may cost more", {}, worst(1, 0.51), "a run may cost $0.51"],
  ["a price that is not known", {}, worst(1, undefined), "the price of a model is not known"],
  [
    "a run without an upper limit",
    {},
    worst(Infinity, Infinity),
    "no upper limit of the cost is known before the run",
  ],
  ["a budget that stops the run first", { cost_usd: 0.4 }, worst(9, Infinity), undefined],
  ["a budget above the limit", { cost_usd: 2 }, worst(9, undefined), "a run may cost $2.00"],
] as const)("%s", (_, budget, estimated, reason) => {
  expect(costGate({ budget }, estimated, 0.5)).toBe(reason)
})
