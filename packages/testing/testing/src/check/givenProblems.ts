/** What a file beside a workflow gives a run of it: whatever of that the workflow does not know. */
import { hint } from "@planloom/expression/suggestion"
import type { DocumentPath, Problem, Stage } from "@planloom/language"
import type { Pipeline } from "@planloom/core"
import type { TestGiven } from "../file/WorkflowTest.ts"

/** `at` is the path of what is given. With workflows inside it, what they know is not known here. */
export const givenProblems = (
  {
    answers = [],
    inputs = {},
    models = {},
    sources,
    tools = {},
    user,
  }: Partial<Omit<TestGiven, "session">>,
  at: DocumentPath,
  pipeline: Pipeline,
): ReadonlyArray<Problem> => {
  const { definition } = pipeline
  const stages = [...stagesOf(definition.stages), ...stagesOf(definition.finally)]
  const ids = stages.map(({ id }) => id)
  const asking = stages.filter(({ uses }) => uses !== undefined).map(({ id }) => id)
  const nested = pipeline.workflows.size > 0
  const unknown = (
    code: string,
    path: DocumentPath,
    what: string,
    known: ReadonlyArray<string>,
  ): Problem => {
    const name = String(path.at(-1))
    return {
      code,
      path,
      spot: "key",
      message: `there is no ${what} "${name}"`,
      help: hint(name, known, "there are"),
    }
  }
  const replying = [
    ...new Set([...asking, ...Object.keys(definition.models), ...pipeline.subagents.keys()]),
  ]
  const strange = (names: object, known: (name: string) => boolean) =>
    nested ? [] : Object.keys(names).filter((name) => !known(name))
  return [
    ...strange(models, (name) => replying.includes(name)).map((name) => {
      const problem = unknown(
        "PL2002",
        [...at, "models", name],
        "stage, reviewer or model alias",
        replying,
      )
      return ids.includes(name)
        ? { ...problem, message: `the stage "${name}" is a block and asks no model` }
        : problem
    }),
    // A test that gives a source has other tools than the workflow has without it.
    ...strange(tools, (name) => sources !== undefined || pipeline.tools.has(name)).map((name) =>
      unknown("PL4008", [...at, "tools", name], "tool", [...pipeline.tools.keys()]),
    ),
    ...answers.flatMap(({ stage }, index) =>
      stage === undefined || nested || ids.includes(stage)
        ? []
        : [
            {
              code: "PL2002",
              path: [...at, "answers", index, "stage"],
              message: `there is no stage "${stage}"`,
              help: hint(stage, asking, "there are"),
            },
          ],
    ),
    ...(user === undefined || pipeline.user !== undefined
      ? []
      : [
          {
            code: "PL0101",
            path: [...at, "user"],
            spot: "key" as const,
            message: `the workflow "${pipeline.name}" declares no user`,
            help: "remove it, or declare `user:` in the workflow",
          },
        ]),
    ...Object.keys(inputs).flatMap((name) =>
      Object.hasOwn(definition.inputs, name)
        ? []
        : [unknown("PL0101", [...at, "inputs", name], "input", Object.keys(definition.inputs))],
    ),
  ]
}

/** Stages by depth first, as written. */
const stagesOf = (stages: ReadonlyArray<Stage>): ReadonlyArray<Stage> =>
  stages.flatMap((stage) => [stage, ...stagesOf(stage.stages ?? [])])
