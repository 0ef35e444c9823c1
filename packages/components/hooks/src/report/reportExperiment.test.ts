/** Reports on experiments: how units are counted, and when a comparison is not to be trusted. */
import { assert, describe, it } from "vitest"
import { reportExperiment, type Exposure } from "./reportExperiment.ts"

const halves = { variants: { plain: 50, warm: 50 } }
const units = (variant: string, count: number, outcome?: (index: number) => boolean | number) =>
  Array.from({ length: count }, (_, index): Exposure => ({
    unit: `${variant} ${index}`,
    variant,
    outcome: outcome?.(index),
  }))

describe("a report", () => {
  it("compares rates of units with the control", () => {
    const { kind, sampleRatio, variants } = reportExperiment("tone", halves, [
      ...units("plain", 80, (index) => index < 48),
      ...units("warm", 70, (index) => index < 56),
    ])
    assert.strictEqual(kind, "rate")
    const [plain, warm] = variants
    assert.strictEqual(plain!.outcome!.value, 0.6)
    assert.isUndefined(plain!.difference)
    // Newcombe 1998, table II.
    assert.approximately(warm!.difference!.low, 0.0524, 0.0001)
    assert.approximately(warm!.difference!.high, 0.3339, 0.0001)
    assert.isFalse(sampleRatio!.isMismatch)
  })

  it("compares means of units, each the mean of its runs", () => {
    const { kind, variants } = reportExperiment("tone", halves, [
      ...units("plain", 10, (index) => index),
      ...units("plain", 10, (index) => index + 2),
      ...units("warm", 10, (index) => index + 5),
    ])
    assert.strictEqual(kind, "mean")
    assert.deepStrictEqual(
      variants.map(({ observed, outcome }) => [observed, outcome!.value]),
      [
        [10, 5.5],
        [10, 9.5],
      ],
    )
    assert.isAbove(variants[1]!.difference!.low, 0)
  })

  it("counts a unit once, and none that was exposed to several variants", () => {
    const { moved, variants } = reportExperiment("tone", halves, [
      { unit: "a", variant: "plain", outcome: false },
      { unit: "a", variant: "plain", outcome: true },
      { unit: "b", variant: "plain", outcome: true },
      { unit: "b", variant: "warm", outcome: true },
      { unit: "c", variant: "warm" },
    ])
    assert.strictEqual(moved, 1)
    assert.deepStrictEqual(
      variants.map(({ observed, units: count }) => [count, observed]),
      [
        [1, 1],
        [1, 0],
      ],
    )
    assert.strictEqual(variants[0]!.outcome!.value, 1)
    assert.isUndefined(variants[1]!.outcome)
  })

  it("finds that units do not fall to variants as declared, once there are enough", () => {
    const ratio = (plain: number, warm: number) =>
      reportExperiment("tone", halves, [...units("plain", plain), ...units("warm", warm)])
        .sampleRatio
    assert.isUndefined(ratio(10, 2))
    assert.isFalse(ratio(520, 480)!.isMismatch)
    assert.isTrue(ratio(560, 440)!.isMismatch)
  })
})
