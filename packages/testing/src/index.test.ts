/** What the package gives, by name. */
import { expect, it } from "vitest"
import * as testing from "./index.ts"

it("exports exactly this", () => {
  expect(Object.keys(testing).toSorted()).toMatchInlineSnapshot(`
    [
      "baselineText",
      "compareGolden",
      "confidenceMetrics",
      "confidenceText",
      "count",
      "evaluationBaselineText",
      "evaluationJson",
      "evaluationJunit",
      "evaluationName",
      "evaluationPassed",
      "eventsText",
      "goldenRun",
      "indexSuite",
      "journalSuite",
      "json",
      "judgementsIn",
      "judgementsOf",
      "junit",
      "metricsText",
      "normaliseEvents",
      "passed",
      "planningMetrics",
      "pretty",
      "providerSuite",
      "readBaseline",
      "readEvaluation",
      "readEvaluationBaselines",
      "readsBaseline",
      "recordCassette",
      "regressions",
      "replayCassette",
      "repliesText",
      "replyMetrics",
      "runEvaluation",
      "runWorkflowTest",
      "sampleDocuments",
      "scriptedProvider",
      "stageKindSuite",
      "stubTools",
      "sumTallies",
      "tallyOf",
      "tallyPlanning",
      "toolSourceSuite",
      "wireServer",
    ]
  `)
})
