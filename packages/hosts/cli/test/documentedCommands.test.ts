/** Every command line that the documentation shows names a command and flags that exist. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { codeBlocks } from "../../../../.ci/docs/codeBlocks.ts"
import { commandNames, flagNames } from "../../../../.ci/docs/commands.ts"
import { wordsOf } from "./guide.ts"

const root = join(import.meta.dirname, "../../../..")
const pages = globSync(["*.md", "docs/**/*.md", "packages/*/*/README.md"], { cwd: root })

interface CommandLine {
  readonly place: string
  readonly words: ReadonlyArray<string>
}

/** Lines of `console` and `sh` blocks that run the command, with the lines that a backslash continues. */
const shown = pages.flatMap((page): ReadonlyArray<CommandLine> => {
  const blocks = codeBlocks(readFileSync(join(root, page), "utf8"))
  const shell = blocks.filter(({ language }) => language === "console" || language === "sh")
  return shell.flatMap(({ text }) =>
    text
      .replaceAll("\\\n", " ")
      .split("\n")
      .flatMap((line) => {
        const found = /(?:^|(?<!create)[\s|;&$])planloom (?=[a-z-])(?!\w+ <subcommand>)(.*)$/.exec(
          line.split(/\s#\s/)[0]!,
        )
        return found ? [{ place: `${page}: ${line.trim()}`, words: wordsOf(found[1]!) }] : []
      }),
  )
})

let commands: ReadonlySet<string>
let flags: ReadonlySet<string>

beforeAll(async () => {
  commands = new Set(await commandNames())
  flags = new Set(await flagNames())
})

const problemOf = ({ place, words }: CommandLine): string | undefined => {
  const [first = "", second = ""] = words
  if (first.startsWith("--")) return undefined
  const command = [`${first} ${second}`, first].find((name) => commands.has(name))
  if (command === undefined) return `${place}: there is no such command`
  const unknown = words
    .filter((word) => /^--[a-z]/.test(word))
    .map((word) => word.split("=")[0]!)
    .find(
      (flag) => !flags.has(`${command} ${flag}`) && !flags.has(flag) && !isSwitch(command, flag),
    )
  return unknown === undefined ? undefined : `${place}: there is no ${unknown}`
}

/** `--no-store` is the opposite of `--store`. */
const isSwitch = (command: string, flag: string): boolean =>
  flag === "--help" || flags.has(`${command} ${flag.replace("--no-", "--")}`)

describe("the documentation's command lines", () => {
  it("name commands and flags that exist", () => {
    expect(shown.length).toBeGreaterThan(100)
    expect(shown.flatMap((one) => problemOf(one) ?? [])).toEqual([])
  })
})
