/** Writes the package of a component with its conformance suite. */
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { NotCreated } from "../NotCreated.ts"
import { engineVersion } from "../packageRoot.ts"
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

export type ComponentKind = keyof typeof templates

/** Returns the paths of the written files. Throws `NotCreated`; overwrites no file. */
export const createPackage = async (
  kind: ComponentKind,
  name: string,
  folder: string = name,
): Promise<ReadonlyArray<string>> => {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) {
    throw new NotCreated(
      "usage",
      `"${name}" is not a name (a-z, 0-9, _; first a letter)`,
      `planloom new ${kind} my_${kind}`,
    )
  }
  await mkdir(folder, { recursive: folder !== name }).catch(
    refusal(folder, "choose another name, or --dir for its folder"),
  )
  const files = Object.entries(packageFiles(kind, templates[kind], name, engineVersion()))
  for (const [path, text] of files) {
    const file = join(folder, path)
    await writeFile(file, text, { flag: "wx" }).catch(
      refusal(file, "nothing is overwritten; choose another folder"),
    )
  }
  return files.map(([path]) => join(folder, path))
}

const refusal = (path: string, help: string) => (error: NodeJS.ErrnoException) => {
  if (error.code === "EEXIST") throw new NotCreated("exists", `${path} exists`, help)
  throw new NotCreated("unwritten", `${path} cannot be written: ${error.message}`)
}
