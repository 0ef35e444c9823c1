/** Implements `planloom init`: writes a project from a template. */
import { existsSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { delimiter, join, relative } from "node:path"
import { scripts, templates, writePackage, writeTemplate, type TemplateName } from "create-planloom"
import * as Effect from "effect/Effect"
import { schemasInto, SCHEMA_FOLDER } from "../author/writeSchemas.ts"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { print, say, stderr, stdout } from "../terminal/Screen.ts"
import { unwritten, type Refused } from "../Refused.ts"
import { isUnused, trustCreated } from "../trust/trustCreated.ts"

export interface InitFlags {
  readonly dir: string
  readonly template: TemplateName | undefined
  readonly yes: boolean
}

export const initProject: Handler<InitFlags> = ({ dir, template, yes }) =>
  Effect.gen(function* () {
    const name = template ?? (yield* chosen(yes))
    const isNew = yield* isUnused(dir)
    const { kept, written } = yield* attempt(dir, () => writeTemplate(name, dir))
    const manifest = yield* attempt(dir, () => writePackage(dir))
    const schemas = yield* schemasInto(join(dir, SCHEMA_FOLDER))
    if (isNew) yield* trustCreated(dir)
    const { style } = stdout
    for (const path of [...written, ...(manifest === "written" ? ["package.json"] : [])]) {
      print(`${style.good("+")} ${join(dir, path)}`)
    }
    for (const path of kept)
      print(`${style.dim("=")} ${join(dir, path)} ${style.dim("exists, unchanged")}`)
    print(style.dim(`+ ${join(dir, SCHEMA_FOLDER)}: ${schemas.length} schemas for your editor`))
    if (manifest === "kept") {
      say(`\nadd to the scripts of ${join(dir, "package.json")}:\n${snippet()}`)
    }
    say(nextSteps(dir, name))
    return "ok" as ExitName
  })

const chosen = (yes: boolean): Effect.Effect<TemplateName, Refused> =>
  yes || !process.stdin.isTTY || !stderr.live ? Effect.succeed("plan") : asked

/** Loaded on demand, because only the prompt needs the platform services. */
const asked: Effect.Effect<TemplateName, Refused> = Effect.flatten(
  Effect.promise(async () => (await import("./askTemplate.ts")).askTemplate),
)

const attempt = <A>(dir: string, work: () => Promise<A>): Effect.Effect<A, Refused> =>
  Effect.tryPromise({
    try: async () => {
      await readdir(dir).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOENT") throw error
      })
      return await work()
    },
    catch: (error) => unwritten(`the project cannot be written to ${dir}`, error),
  })

const snippet = (): string =>
  Object.entries(scripts)
    .map(([name, command]) => `  "${name}": "${command}",`)
    .join("\n")

/** Returns whether `planloom` is on the PATH; from a checkout it is not. */
const isOnPath = (): boolean =>
  (process.env["PATH"] ?? "")
    .split(delimiter)
    .some(
      (at) => at !== "" && ["planloom", "planloom.cmd"].some((file) => existsSync(join(at, file))),
    )

const nextSteps = (dir: string, name: TemplateName): string => {
  const { style } = stderr
  const folder = relative("", dir)
  return [
    "",
    "next:",
    ...(folder === "" ? [] : [`  cd ${folder}`]),
    ...(isOnPath() ? [] : [`  alias planloom='${process.execPath} ${process.argv[1]}'`]),
    "  planloom check",
    `  ${templates[name].run}`,
    "  planloom test",
    ...(templates[name].measured ? ["  planloom eval"] : []),
  ]
    .map((line, index) => (index < 2 ? line : style.name(line)))
    .join("\n")
}
