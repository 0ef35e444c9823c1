/** TypeScript blocks of the documentation as modules. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { codeBlocks } from "../../../../../.ci/docs/codeBlocks.ts"
import { given } from "./given.ts"

const root = join(import.meta.dirname, "../../../../..")

// Guides are whole projects, which other tests run.
const pages = globSync(
  ["README.md", "docs/**/*.md", "packages/*/*/README.md", "examples/*/README.md"],
  {
    cwd: root,
    exclude: ["docs/{how-to,tutorials}/**"],
  },
).toSorted()

export interface Block {
  /** Page and number, as in `given`. */
  readonly name: string
  /** File name of the module. */
  readonly file: string
  readonly code: string
}

/** `yield*` outside of a function is of an Effect that the text does not show. */
const inEffect = /^(?:const [^=]*= )?yield\*/m

const moduleOf = (text: string, names: string): string => {
  const imports = text.match(/^import .*$/gm) ?? []
  const body = text.replaceAll(/^import .*\n/gm, "")
  const isEffect = inEffect.test(body)
  const needsEffect = isEffect && ![...imports, names].some((one) => one.includes("effect/Effect"))
  return [
    ...(needsEffect ? ['import * as Effect from "effect/Effect"'] : []),
    ...imports,
    names,
    isEffect ? `export const block = Effect.gen(function* () {\n${body}})` : body,
    "export {}\n",
  ].join("\n")
}

export const blocks: ReadonlyArray<Block> = pages.flatMap((page) =>
  codeBlocks(readFileSync(join(root, page), "utf8"))
    .filter(({ language }) => language === "ts")
    .map(({ text }, index) => {
      const name = `${page} #${index + 1}`
      return {
        name,
        file: `${page.replaceAll(/[^A-Za-z]/g, "_")}_${index + 1}.ts`,
        code: moduleOf(text, given[name] ?? ""),
      }
    }),
)

/** `expression // value`: what a page says that an expression gives. */
const claim =
  /^(\s*)(?:console\.log\((.*)\)|([A-Za-z][\w.]*(?:\([^\n]*\))?))\s+\/\/ ([[{\d"][^\n]*)$/gm

/** The module with a call of `shown(value, said)` for each value that the page says. */
export const withClaims = (code: string): string =>
  code.replaceAll(
    claim,
    (_, indent: string, logged?: string, plain?: string, said?: string) =>
      `${indent};(globalThis as any).shown(${logged ?? plain}, ${JSON.stringify(said)})`,
  )
