/** The order of test files: by size, as vitest has it without earlier results, but short files whose tests take long first. */
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Each takes 10 s or more. One that started last in its project would run alone at the end. */
const long = [
  "packages/testing/testing/test/keys/keys.test.ts",
  "packages/hosts/cli/test/serve.test.ts",
  "packages/hosts/cli/test/recorded.test.ts",
  "packages/hosts/cli/test/trust.test.ts",
  "packages/hosts/cli/test/new.test.ts",
]

const isLong = ({ moduleId }: TestSpecification): boolean =>
  long.some((file) => moduleId.endsWith(file))

export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    // Projects stay together: their files share workers.
    return [...Map.groupBy(sorted, ({ project }) => project.name).values()].flatMap((ofProject) => [
      ...ofProject.filter(isLong),
      ...ofProject.filter((file) => !isLong(file)),
    ])
  }
}
