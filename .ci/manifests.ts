/** Writes what each first-party plugin contributes: the manifest in its package.json, and the command's table of all. */
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { folderOf } from "../.config/packageFolders.ts"
import { bundledPlugins } from "../packages/hosts/cli/src/project/bundledPlugins.ts"
import { firstPartyManifest } from "../packages/hosts/cli/src/project/firstPartyManifest.ts"

const root = join(import.meta.dirname, "..")
const table = join(root, "packages/hosts/cli/src/project/bundledManifests.ts")
const written = [table]

const manifests = new Map(
  await Promise.all(
    Object.entries(bundledPlugins).map(
      async ([name, load]) => [name, firstPartyManifest(await load())] as const,
    ),
  ),
)

for (const [name, manifest] of manifests) {
  const path = join(root, folderOf(name), "package.json")
  const described = JSON.parse(readFileSync(path, "utf8")) as { readonly [key: string]: unknown }
  writeFileSync(path, JSON.stringify({ ...described, planloom: manifest }, null, 2))
  written.push(path)
}

/** One for each plugin, as text between backticks. */
const lines = [...manifests].map(([name, manifest]) =>
  `  ${JSON.stringify(name)}: ${JSON.stringify(manifest)}`.replaceAll(/[\\`]|\$\{/g, "\\$&"),
)
writeFileSync(
  table,
  `/** What the plugins that come with the command contribute; written by \`pnpm manifests\`. */
import type { Manifest } from "@planloom/plugin/effect"

export const bundledManifests = JSON.parse(\`{
${lines.join(",\n")}
}\`) as { readonly [name: string]: Manifest }
`,
)
execFileSync(join(root, "node_modules/.bin/oxfmt"), written, { stdio: "inherit" })
