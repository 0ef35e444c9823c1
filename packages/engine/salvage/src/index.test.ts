import * as salvage from "@planloom/salvage"
import { expect, it } from "vitest"

it("offers one-shot and streamed parsing", () => {
  expect(Object.keys(salvage).toSorted()).toEqual(["parse", "stream"])
})
