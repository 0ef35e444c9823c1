/** Builds every package to `dist`, and bundles the command line so that it starts fast. */
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import { build as bundle, type BuildOptions, type Metafile, type Plugin } from "esbuild"
import { folderOf, packageFolders } from "../.config/packageFolders.ts"
import { calledAtStart, eagerFunctions } from "./eagerFunctions.ts"
import { bundleJoined } from "./joinChunks.ts"

const root = join(import.meta.dirname, "..")
const cli = join(root, "packages/hosts/cli")

/** Native, heavy or with files of their own, and wanted by few commands: they stay outside the bundle and are loaded when asked for. */
const external = [
  "@anthropic-ai/sdk",
  "@duckdb/node-api",
  "@google/genai",
  "@modelcontextprotocol/client",
  "create-planloom",
  "openai",
  "vega",
  "vega-lite",
]

const packages = [...packageFolders.values()].map((folder) => join(root, folder))

/** Compiles types and code of all packages, not their tests. Throws what the compiler said when it refuses. */
const compile = () => {
  const tsc = join(root, "node_modules/typescript/bin/tsc")
  const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, "-b", ...packages], {
    cwd: root,
    encoding: "utf8",
  })
  if (status !== 0) throw new Error(stdout + stderr)
}

/** Deletes from `dist` what the compiler made of a source file that has since gone or got another name. */
const prune = () => {
  for (const folder of packages) {
    const [src, dist] = [join(folder, "src"), join(folder, "dist")]
    if (!existsSync(dist)) continue
    for (const file of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
      const source = file.replace(/(\.d\.ts|\.js)(\.map)?$/, ".ts")
      if (source !== file && !existsSync(join(src, source))) rmSync(join(dist, file))
    }
  }
}

/** All packages share it. Artefacts name it, and a bundle has no manifest beside it. */
const version = (
  JSON.parse(readFileSync(join(root, "packages/engine/language/package.json"), "utf8")) as {
    readonly version: string
  }
).version

const defined = { PLANLOOM_VERSION: JSON.stringify(version) }

/** Programs of threads: what starts one looks for it beside its own chunk. */
const threads = ["../../components/documents/src/read/readerWorker.ts"]

/** The starts of a command, in the order of loading: its process; its flags and help; files and their rules; the engine; the display of a run. */
const commandStarts = [
  "src/main.ts",
  "src/runCommandLine.ts",
  "src/check/checkFiles.ts",
  "../../engine/embed/src/index.ts",
  "src/run/runWorkflow.ts",
]

/**
 * Effect alone is some 300 files, and finding them costs three times what running them does. One
 * bundle, split at dynamic imports, brings `planloom --help` from about 330 ms to 90 ms.
 */
export const bundleCommand = async (
  outdir = "dist",
  entryPoints: ReadonlyArray<string> = ["src/bin.ts", "src/index.ts"],
  plugins: Array<Plugin> = [],
): Promise<Metafile> => {
  const options = {
    absWorkingDir: cli,
    entryPoints: [...entryPoints, ...threads].map((path) => ({
      in: path,
      out: basename(path, ".ts"),
    })),
    outdir,
    // Chunks lie beside bin.js, so a path relative to `import.meta.url` means the same as in src.
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22",
    external,
    // Half the size and a tenth less time to start; names stay, so a stack trace can still be read.
    minifyWhitespace: true,
    minifySyntax: true,
    define: { ...defined, "Intl.Segmenter": "LazySegmenter" },
    inject: [join(import.meta.dirname, "LazySegmenter.ts")],
    plugins,
    logLevel: "warning",
    // Some bundled dependencies are CommonJS and ask for built-ins with `require`.
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
  } satisfies BuildOptions
  return bundleJoined(options, commandStarts)
}

/** With what it depends on: `npm create planloom` installs one package of a few files. */
const bundleCreate = () =>
  bundle({
    absWorkingDir: join(root, "packages/hosts/create-planloom"),
    entryPoints: ["src/bin.ts", "src/index.ts"],
    outdir: "dist",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22",
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: "warning",
  })

/** The packages that a host loads as a whole: each is bundled by itself. */
const bundled = [
  "schema",
  "plugin",
  "expression",
  "prompt",
  "language",
  "core",
  "record",
  "embed",
  "server",
]

/** Functions without state that outlives a call, each entry smaller than what importing it costs: every bundle has its own copy. */
const copied = Object.fromEntries(
  Object.entries({
    "@planloom/expression/suggestion": "packages/engine/expression/src/Suggestion.ts",
    "@planloom/plugin/cards": "packages/contract/plugin/src/value/toolCards.ts",
    "@planloom/plugin/clean": "packages/contract/plugin/src/value/cleanText.ts",
    "@planloom/plugin/duration": "packages/contract/plugin/src/value/Duration.ts",
    "@planloom/plugin/facts": "packages/contract/plugin/src/facts/index.ts",
    "@planloom/plugin/hooks": "packages/contract/plugin/src/value/orderHooks.ts",
    "@planloom/plugin/late": "packages/contract/plugin/src/value/loadedOnce.ts",
    "@planloom/plugin/needs": "packages/contract/plugin/src/value/NeedsGraph.ts",
    "@planloom/plugin/segments": "packages/contract/plugin/src/run/Segment.ts",
    "@planloom/plugin/texts": "packages/contract/plugin/src/value/Texts.ts",
    "@planloom/prompt/compile": "packages/engine/prompt/src/compilePrompts.ts",
    "@planloom/prompt/tokens": "packages/engine/prompt/src/tokens/index.ts",
    "@planloom/schema/annotations": "packages/contract/schema/src/annotations.ts",
    "@planloom/schema/defaults": "packages/contract/schema/src/withDefaults.ts",
  }).map(([entry, source]) => [entry, join(root, source)]),
)

/** The entry points of a package, as its manifest exports them in the workspace. */
const entriesOf = (folder: string): Array<string> =>
  Object.values(
    (
      JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
        exports: { readonly [entry: string]: string | { readonly [condition: string]: string } }
      }
    ).exports,
  ).flatMap((source) => (typeof source === "string" ? source : Object.values(source)))

/**
 * The engine is some 250 small files, and for a host, too, finding them costs more than running them.
 * What it depends on stays outside: the host and its plugins share one copy of each.
 */
const bundleEngine = async (name: string, eager: Plugin) => {
  const folder = join(root, folderOf(name))
  const { metafile } = await bundle({
    absWorkingDir: folder,
    entryPoints: entriesOf(folder),
    outbase: "src",
    outdir: "dist",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22",
    packages: "external",
    alias: copied,
    plugins: [eager],
    minifyWhitespace: true,
    minifySyntax: true,
    define: defined,
    sourcemap: true,
    metafile: true,
    logLevel: "warning",
  })
  const start = starts[name]
  if (start !== undefined) await mergeStart(folder, start, metafile.outputs)
}

/** The entries that every host loads, of packages that splitting would cut into many chunks. The first becomes their file. */
const starts: { readonly [name: string]: readonly [string, ...ReadonlyArray<string>] } = {
  schema: ["dist/index.js", "dist/ajv.js", "dist/withDefaults.js"],
  plugin: ["dist/effect.js", "dist/store.js"],
  expression: ["dist/index.js"],
  language: ["dist/artefact/index.js"],
  core: ["dist/index.js"],
  embed: ["dist/artefact.js"],
}

/**
 * Splitting makes a chunk for every set of entries and dynamic imports that share modules, but every host loads all
 * chunks of `entries`, and finding one costs as much as running it. They become one file, the first entry, which exports
 * their parts, too: files that are loaded later import the chunks.
 */
const mergeStart = async (
  folder: string,
  entries: readonly [string, ...ReadonlyArray<string>],
  outputs: Metafile["outputs"],
) => {
  const [start] = entries
  const loaded = new Set<string>()
  const visit = (path: string) => {
    if (loaded.has(path)) return
    loaded.add(path)
    for (const { external: isOutside = false, kind, path: next } of outputs[path]!.imports) {
      if (!isOutside && kind === "import-statement") visit(next)
    }
  }
  entries.forEach(visit)
  const parts = [...loaded].map((path, number) => ({
    path,
    names: outputs[path]!.exports.map((name) => ({
      name,
      merged: path === start ? name : `part${number}_${name}`,
    })),
  }))
  const exported = parts.map(
    ({ names, path }) =>
      `export { ${names.map(({ merged, name }) => `${name} as ${merged}`).join(", ")} } from "./${path}"`,
  )
  const at = dirname(join(folder, start))
  await bundle({
    absWorkingDir: folder,
    stdin: { contents: exported.join("\n"), resolveDir: folder, sourcefile: "start" },
    outfile: start,
    allowOverwrite: true,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node22",
    packages: "external",
    plugins: [
      {
        name: "later",
        setup: ({ onResolve }) =>
          onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) =>
            kind === "dynamic-import"
              ? { path: relativeTo(at, join(resolveDir, path)), external: true }
              : undefined,
          ),
      },
    ],
    minifyWhitespace: true,
    sourcemap: true,
    // Of chunks that are merged, too.
    logOverride: { "ignored-bare-import": "silent" },
    logLevel: "warning",
  })
  for (const { names, path } of parts) {
    if (path === start) continue
    const file = join(folder, path)
    const own = names.map(({ merged, name }) => `${merged} as ${name}`).join(",")
    writeFileSync(file, `export{${own}}from"${relativeTo(dirname(file), join(folder, start))}";\n`)
    rmSync(`${file}.map`, { force: true })
  }
}

/** The specifier of an import. */
const relativeTo = (folder: string, file: string): string => {
  const path = relative(folder, file)
  return path.startsWith(".") ? path : `./${path}`
}

/** Builds all packages. Nothing in the workspace needs this: packages run from source there. */
export const build = async () => {
  compile()
  // Also what an older bundle left: chunk names carry a hash.
  prune()
  const called = calledAtStart()
  const eager = eagerFunctions(called.host)
  for (const name of bundled) await bundleEngine(name, eager)
  await bundleCreate()
  await bundleCommand(undefined, undefined, [eagerFunctions(called.command)])
}

if (import.meta.main) await build()
