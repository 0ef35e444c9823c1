/** Implements `planloom new`: writes the package of a component with its conformance suite. */
import { readFileSync } from "node:fs"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { packageRoot } from "../packageRoot.ts"
import { problem, unwritten, usage } from "../Refused.ts"
import { print, say, stdout } from "../terminal/Screen.ts"
import { hookTemplate } from "./hook.ts"
import { packageFiles } from "./packageFiles.ts"
import { providerTemplate } from "./provider.ts"
import { stageTemplate } from "./stage.ts"
import { subagentTemplate } from "./subagent.ts"
import { toolTemplate } from "./tool.ts"
import { validatorTemplate } from "./validator.ts"

const templates = {
  hook: hookTemplate,
  stage: stageTemplate,
  tool: toolTemplate,
  validator: validatorTemplate,
  subagent: subagentTemplate,
  provider: providerTemplate,
}

export type NewKind = keyof typeof templates

export interface NewFlags {
  readonly name: string
  readonly dir: string | undefined
}

export const newPackage =
  (kind: NewKind): Handler<NewFlags> =>
  ({ dir, name }) =>
    Effect.gen(function* () {
      if (!/^[a-z][a-z0-9_]*$/.test(name)) {
        return yield* Effect.fail(
          usage(
            `"${name}" is not a name (a-z, 0-9, _; first a letter)`,
            `planloom new ${kind} my_${kind}`,
          ),
        )
      }
      const folder = dir ?? name
      yield* Effect.tryPromise({
        try: () => mkdir(folder, { recursive: dir !== undefined }),
        catch: (error) =>
          (error as NodeJS.ErrnoException).code === "EEXIST"
            ? problem(`${folder} exists`, "choose another name, or --dir for its folder")
            : unwritten(`${folder} cannot be made`, error),
      })
      const files = packageFiles(kind, templates[kind], name, engineVersion())
      for (const [path, text] of Object.entries(files)) {
        const file = join(folder, path)
        yield* Effect.tryPromise({
          try: () => writeFile(file, text, { flag: "wx" }),
          catch: (error) =>
            (error as NodeJS.ErrnoException).code === "EEXIST"
              ? problem(`${file} exists`, "nothing is overwritten; choose another folder")
              : unwritten(`${file} cannot be written`, error),
        })
        print(`${stdout.style.good("+")} ${file}`)
      }
      say(`\nnext:\n  cd ${folder}\n  npm install\n  npm test`)
      return "ok" as ExitName
    })

const engineVersion = (): string =>
  (
    JSON.parse(readFileSync(new URL("package.json", packageRoot), "utf8")) as {
      readonly version: string
    }
  ).version
