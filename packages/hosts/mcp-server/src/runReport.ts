/** A run as Markdown for people: what it gave, what it waits for, and how its stages went. */
import type { ShownRun } from "./Api.ts"
import { questionText } from "./questionText.ts"

export const runReport = ({
  finishedAt,
  result,
  run,
  startedAt,
  status,
  waits,
  workflow,
}: ShownRun): string => {
  const times = [
    `started ${new Date(startedAt).toISOString()}`,
    ...(finishedAt === undefined ? [] : [`took ${(finishedAt - startedAt) / 1000} s`]),
  ]
  const failure = result?.failure
  return [
    `# ${workflow}: ${status}`,
    `Run ${run}, ${times.join(", ")}.`,
    ...(failure === undefined ? [] : [`It failed: ${failure.message} (${failure.class}).`]),
    ...Object.entries(result?.outputs ?? {}).flatMap(([name, value]) => [
      `## Output ${name}`,
      typeof value === "string" ? value : `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``,
    ]),
    ...list("Notes", result?.notes.map(({ text }) => text) ?? []),
    ...list("Degraded", result?.degraded.map(({ path, reason }) => `${path}: ${reason}`) ?? []),
    ...list(
      "Questions",
      waits.map((wait) => `${wait.name}: ${questionText(wait)}`),
    ),
    ...list(
      "Stages",
      Object.entries(result?.stages ?? {}).map(
        ([path, { ms, outcome }]) => `${path}: ${outcome}${ms === undefined ? "" : `, ${ms} ms`}`,
      ),
    ),
  ].join("\n\n")
}

/** A text of several lines stays in its item. */
const list = (title: string, items: ReadonlyArray<string>): ReadonlyArray<string> =>
  items.length === 0
    ? []
    : [`## ${title}`, items.map((item) => `- ${item.replaceAll("\n", "\n  ")}`).join("\n")]
