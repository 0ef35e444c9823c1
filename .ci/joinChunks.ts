/** Bundles with one chunk for modules that start together: esbuild makes one for each set of dynamic imports that share modules. */
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { build as bundle, type BuildOptions, type Metafile, type Plugin } from "esbuild"

/**
 * Files that are imported dynamically import the starts that they share modules with. All of them then reach the same
 * modules, which become one chunk; finding a chunk costs Node as much as running it. Starts are in the order in
 * which they are loaded.
 */
export const bundleJoined = async (
  options: BuildOptions & { readonly absWorkingDir: string },
  starts: ReadonlyArray<string>,
): Promise<Metafile> => {
  const { metafile } = await bundle({ ...options, write: false, metafile: true })
  const plugins = [
    joining(options.absWorkingDir, importsOf(metafile, starts)),
    within(options.absWorkingDir, starts, metafile.inputs),
    ...(options.plugins ?? []),
  ]
  // Nothing of the added imports is run: they only say what is reached.
  const joined = await bundle({
    ...options,
    plugins,
    metafile: true,
    logOverride: { "ignored-bare-import": "silent" },
  })
  return joined.metafile
}

/** What each dynamically imported file imports besides. */
const importsOf = (
  { inputs, outputs }: Metafile,
  starts: ReadonlyArray<string>,
): ReadonlyMap<string, ReadonlyArray<string>> => {
  const loaded = starts.map((from) => reached(inputs, from))
  const added = new Map<string, Array<string>>()
  const entries = new Set(Object.values(outputs).map(({ entryPoint }) => entryPoint))
  for (const entry of entries) {
    if (entry === undefined || !importsLater(inputs, Object.keys(inputs), entry)) continue
    const own = reached(inputs, entry)
    const wanted = starts.filter((from, index) => {
      // A part of it, or what loads it later.
      if (loaded[index]!.has(entry) || importsLater(inputs, own, from)) return false
      return [...own].some(
        (path) => loaded[index]!.has(path) && !loaded.slice(0, index).some((one) => one.has(path)),
      )
    })
    if (wanted.length > 0) added.set(entry, wanted)
  }
  starts.slice(1).forEach((from, index) => {
    added.set(from, [...new Set([...(added.get(from) ?? []), starts[index]!])])
  })
  return added
}

/** Whether any of the files imports another one dynamically. */
const importsLater = (
  inputs: Metafile["inputs"],
  files: Iterable<string>,
  other: string,
): boolean =>
  [...files].some((file) =>
    inputs[file]?.imports.some(({ kind, path }) => kind === "dynamic-import" && path === other),
  )

/** The file and its static imports, followed to their ends. */
const reached = (inputs: Metafile["inputs"], file: string): ReadonlySet<string> => {
  const seen = new Set<string>()
  const visit = (path: string) => {
    if (seen.has(path)) return
    seen.add(path)
    for (const { external = false, kind, path: next } of inputs[path]?.imports ?? []) {
      if (!external && kind !== "dynamic-import") visit(next)
    }
  }
  visit(file)
  return seen
}

/**
 * A dynamic import of a file that is a part of a start would make the file's own imports a chunk, apart from the rest of
 * that start. It imports the whole start instead, the first of which it is a part.
 */
const within = (
  folder: string,
  starts: ReadonlyArray<string>,
  inputs: Metafile["inputs"],
): Plugin => ({
  name: "within",
  setup: ({ onLoad, onResolve, resolve }) => {
    const startOf = new Map<string, string>()
    for (const start of starts.toReversed()) {
      for (const path of reached(inputs, start)) startOf.set(join(folder, path), start)
    }
    for (const start of starts) startOf.delete(join(folder, start))
    onResolve({ filter: /^/ }, async ({ importer, kind, path, resolveDir }) => {
      if (kind !== "dynamic-import") return undefined
      const found = await resolve(path, { importer, kind: "import-statement", resolveDir })
      return startOf.has(found.path) ? { path: found.path, namespace: "within" } : undefined
    })
    onLoad({ filter: /^/, namespace: "within" }, ({ path }) => ({
      contents: `export * from ${JSON.stringify(path)}\nimport "start:${startOf.get(path)!}"\n`,
      resolveDir: dirname(path),
    }))
  },
})

const joining = (folder: string, added: ReadonlyMap<string, ReadonlyArray<string>>): Plugin => ({
  name: "joining",
  setup: ({ onLoad, onResolve }) => {
    const importsAt = new Map([...added].map(([file, starts]) => [join(folder, file), starts]))
    onResolve({ filter: /^start:/ }, ({ path }) => ({
      path: join(folder, path.slice("start:".length)),
    }))
    onLoad({ filter: /\.[jt]s$/, namespace: "file" }, ({ path }) => {
      const starts = importsAt.get(path)
      if (starts === undefined) return undefined
      const imports = starts.map((start) => `import "start:${start}"\n`).join("")
      return {
        contents: `${readFileSync(path, "utf8")}\n${imports}`,
        loader: path.endsWith("ts") ? "ts" : "js",
        resolveDir: dirname(path),
      }
    })
  },
})
