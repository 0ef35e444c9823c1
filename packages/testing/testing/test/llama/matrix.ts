/** Tests of a real server as rows of a table: what was asked, seconds, figures. Without a server all are skipped, with the reason. */
import type { afterAll, describe, it, TestContext } from "vitest"
import type { Usage } from "@planloom/plugin/effect"
import { missing } from "./LlamaServer.ts"

/** A test that returns its figures. */
export type Row = (name: string, work: (context: TestContext) => Promise<string>) => void

interface Suite {
  readonly afterAll: typeof afterAll
  readonly describe: typeof describe
  readonly it: typeof it
}

/** Of one row, on a busy machine. */
const ROW_MS = 180_000

export const matrix = (suite: Suite, title: string, rows: (row: Row) => void): void => {
  suite.describe(title, () => {
    if (missing !== undefined) {
      suite.it(`is skipped: ${missing}`, (context) => context.skip())
      return
    }
    const lines: Array<string> = []
    rows((name, work) =>
      suite.it(
        name,
        async (context) => {
          const start = performance.now()
          const figures = await work(context)
          const seconds = ((performance.now() - start) / 1000).toFixed(2)
          lines.push(`${seconds.padStart(6)} s  ${name}: ${figures}`)
        },
        ROW_MS,
      ),
    )
    suite.afterAll(() => {
      process.stdout.write(`\n${title}\n${lines.join("\n")}\n`)
    })
  })
}

/** Input, cached and output tokens of each call. */
export const tokensOf = (usages: ReadonlyArray<Usage>): string =>
  usages
    .map(({ cached = 0, input, output }) => `${input} (${cached} cached) → ${output}`)
    .join(", ")
