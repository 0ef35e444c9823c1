/** The page of expression functions, made from what the engine evaluates. */
import { functionGroups } from "../../packages/engine/expression/src/check.ts"

export const functionsPage = (): string =>
  [
    "# Functions",
    "",
    'Functions of [expressions](workflows.md#expressions), beside the operators of [CEL](https://cel.dev). A function is called by its name, `sort_by(rows, "n")`, or',
    'on its first argument, `rows.sort_by("n")`. `?` marks an argument that may be left out, and `A` and `B` stand for any type.',
    "`check` infers the type of each call, and reports arguments that cannot work. A call that fails on its values fails the stage with class `invalid_request`.",
    "",
    "Functions are pure: they have no access to files, the network or the clock. One evaluation visits at most 1,000,000 items, and a text has at most 16,000,000 characters.",
    "`planloom list functions` prints this list.",
    "",
    ...functionGroups.flatMap(({ functions, title }) => [
      `## ${title}`,
      "",
      "| function | result | example |",
      "|---|---|---|",
      ...functions.map(
        ({ example: { expression, result }, signature, summary }) =>
          `| ${code(signature)} | ${summary} | ${code(expression)} is ${code(JSON.stringify(result))} |`,
      ),
      "",
    ]),
  ].join("\n")

const code = (text: string): string => `\`${text.replaceAll("|", "\\|").replaceAll("\n", "\\n")}\``
