/** Files of this repository that are generated, each with the text it should have. */
import { failureClasses, hookPoints } from "@planloom/plugin/effect"
import { withBlocks } from "./blocks.ts"
import { exitCodeTable, reference } from "./commands.ts"
import { diagnosticsPage } from "./diagnosticsPage.ts"
import { functionsPage } from "./functionsPage.ts"
import { keyReference } from "./keyPages.ts"
import { attributeTable, bucketTable, metricTable } from "./metricTables.ts"
import type { Page } from "./Page.ts"
import { EDIT_PICTURE, editPicture } from "./pictures.ts"
import { toolsPage } from "./toolsPage.ts"
import { withRecordings } from "./recordings.ts"
import { rulesIndex } from "./rulesIndex.ts"

const failureTable = (): string =>
  ["| class | meaning |", "|---|---|"]
    .concat(Object.entries(failureClasses).map(([name, meaning]) => `| \`${name}\` | ${meaning} |`))
    .join("\n")

const hookPointTable = (): string =>
  [
    "| point | belongs to | runs | a transform may change |",
    "|---|---|---|---|",
    ...hookPoints.map(({ id, owns, scope, summary }) => {
      const [runs = ""] = summary.split(";")
      const owned = owns.map((field) => `\`${field}\``).join(", ")
      return `| \`${id}\` | ${scope} | ${runs} | ${owned === "" ? "nothing" : owned} |`
    }),
  ].join("\n")

export const pages: ReadonlyArray<Page> = [
  rulesIndex,
  { path: "README.md", text: withRecordings },
  { path: EDIT_PICTURE, text: editPicture },
  { path: "docs/diagnostics.md", text: () => diagnosticsPage() },
  { path: "docs/functions.md", text: () => functionsPage() },
  { path: "docs/tools.md", text: () => toolsPage() },
  {
    path: "docs/cli.md",
    text: async (now) =>
      withBlocks(now, {
        "exit codes": exitCodeTable(),
        "failure classes": failureTable(),
        commands: await reference(),
      }),
  },
  { path: "docs/hooks.md", text: (now) => withBlocks(now, { "hook points": hookPointTable() }) },
  {
    path: "docs/telemetry.md",
    text: (now) =>
      withBlocks(now, {
        metrics: metricTable(),
        attributes: attributeTable(),
        buckets: bucketTable(),
      }),
  },
  ...keyReference,
]
