/** The market scout with a scripted model and an experiment, as flags of the command. */
import { join } from "node:path"

const plugins = ["stages", "retrieval", "mcp", "provider-google", "hooks"]

/** `depth`: percentages of the variants of the experiment `depth`; more settings by their paths. */
export const scriptedMarket = (
  depth: { readonly shallow: number; readonly deep: number },
  more: { readonly [path: string]: unknown } = {},
): ReadonlyArray<string> =>
  Object.entries({
    "use.plugins": [
      ...plugins.map((name) => `@planloom/${name}`),
      join(import.meta.dirname, "fixture/marketModel.ts"),
    ],
    "models.planner.try": ["scripted/planner"],
    "experiments.depth": { variants: depth, unit: "run" },
    ...more,
  }).flatMap(([path, value]) => ["--set", `${path}=${JSON.stringify(value)}`])
