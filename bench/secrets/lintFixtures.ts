/** The snapshots of secretlint's rules: texts with the places that it reports. Rules on names of files are left out. */
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Fixture } from "./goFixtures.ts"

const LEFT_OUT = /preset|filter-comments|rule-pattern|dotenv|homedir|example|k8s|internal-test/

export const lintFixtures = (clone: string): ReadonlyArray<Fixture> =>
  globSync("packages/@secretlint/secretlint-rule-*/test/snapshots/*/input*", { cwd: clone })
    .toSorted()
    .filter((path) => !LEFT_OUT.test(path))
    .flatMap((path) => {
      const folder = join(clone, dirname(path))
      // An option changes what a rule reports, not what a text holds.
      if (existsSync(join(folder, "options.ts")) || existsSync(join(folder, "options.json")))
        return []
      const report = join(folder, "output.json")
      if (!existsSync(report)) return []
      const { messages } = JSON.parse(readFileSync(report, "utf8")) as {
        readonly messages: ReadonlyArray<{ readonly range: readonly [number, number] }>
      }
      const rule = /secretlint-rule-([^/]+)/.exec(path)![1]!
      const text = readFileSync(join(clone, path), "utf8")
      return [
        {
          rule,
          text,
          isSecret: messages.length > 0,
          ranges: messages.map(({ range: [start, end] }) => ({ start, end })),
        },
      ]
    })
