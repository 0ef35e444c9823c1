/** Keys whose examples are still to be written. The list may only shrink. */
export const pending: ReadonlySet<string> = new Set([
  "Workflow.telemetry",
  "Workflow.telemetry.otlp",
  "Catalog.tools.examples",
  "Examples.examples.expect",
  "Project.runs.keep",
  "Project.runs.keep.age",
  "Project.runs.keep.count",
  "Project.telemetry",
  "Project.telemetry.otlp",
  "WorkflowTest.tests.given.models.*.reasoning",
  "WorkflowTest.tests.given.cassette",
  "WorkflowTest.tests.expect.snapshot",
  "Evaluation.given.answers.stage",
  "Evaluation.given.answers.name",
  "Evaluation.given.answers.value",
])
