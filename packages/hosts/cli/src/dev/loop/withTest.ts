/** Text of a test file with an accepted test: added, or in place of the one with the same name. */
import type { Json } from "@planloom/plugin/effect"
import { toYaml, withListItem } from "@planloom/language"
import type { AcceptedTest } from "./acceptedTest.ts"

/** `text` is that of the file, undefined for a new one. Undefined if its `tests` is not a block list. */
export const withTest = (
  text: string | undefined,
  workflow: string,
  test: AcceptedTest,
): string | undefined =>
  text === undefined
    ? toYaml({
        apiVersion: "planloom/v1",
        kind: "WorkflowTest",
        workflow,
        tests: [test as unknown as Json],
      })
    : withListItem(text, "tests", test as unknown as Json, (item) => nameOf(item) === test.name)

const nameOf = (item: Json): Json | undefined => (item as { readonly name?: Json } | null)?.name
