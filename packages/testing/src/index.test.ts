/** What the package gives, by name. */
import { expect, it } from "vitest"
import * as testing from "./index.ts"

it("exports exactly this", () => {
  expect(Object.keys(testing).toSorted()).toMatchInlineSnapshot(`
    [
      "compareGolden",
      "count",
      "eventsText",
      "goldenRun",
      "indexSuite",
      "journalSuite",
      "json",
      "junit",
      "normaliseEvents",
      "passed",
      "pretty",
      "providerSuite",
      "runWorkflowTest",
      "sampleDocuments",
      "scriptedProvider",
      "stageKindSuite",
      "stubTools",
      "toolSourceSuite",
    ]
  `)
})
