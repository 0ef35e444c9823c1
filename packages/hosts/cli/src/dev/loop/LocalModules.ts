/** Code of plugins in the project's own files, loaded again when one of its files has changed. */
import { hash } from "node:crypto"
import { readFileSync } from "node:fs"
import { registerHooks } from "node:module"
import { fileURLToPath, pathToFileURL } from "node:url"
import type { MayLoad } from "@planloom/language"

/** The query of a version of a module: Node keeps modules by URL, and loads another URL anew. */
const VERSION = "planloom-edit"

interface Plugin {
  /** Digests of its files that belong to the project, its own first; undefined before they are known. */
  readonly files: Map<string, string | undefined>
  /** Empty until a file has changed. */
  version: string
}

export class LocalModules {
  /** By name, as workflows write it. */
  private readonly plugins = new Map<string, Plugin>()
  private readonly byFile = new Map<string, Plugin>()
  private hooks: ReturnType<typeof registerHooks> | undefined

  /** Decides as the given port does, and notices which plugins are files of the project. */
  watching(mayLoad: MayLoad): MayLoad {
    return async (plugin) => {
      const decision = await mayLoad(plugin)
      if (decision === "load" && !isPackage(plugin.file)) this.add(plugin.name, plugin.file)
      return decision
    }
  }

  /** Reads the files of all plugins before a load, which imports the plugins of which a file has changed. */
  refresh(): void {
    for (const plugin of this.byFile.values()) {
      const { files } = plugin
      const now = [...files.keys()].map((file) => [file, textDigest(file)] as const)
      if (now.every(([file, text]) => files.get(file) === text)) continue
      for (const [file, text] of now) files.set(file, text)
      plugin.version = hash("sha1", now.flat().join("\n")).slice(0, 12)
    }
  }

  /** Reads the files that a load has found. */
  loaded(): void {
    for (const { files } of this.byFile.values()) {
      for (const [file, text] of files) if (text === undefined) files.set(file, textDigest(file))
    }
  }

  /** Version of the code of a plugin; empty for an installed one, and before an edit. */
  version(name: string): string {
    return this.plugins.get(name)?.version ?? ""
  }

  /** Version of the code of all plugins. */
  get code(): string {
    return [...this.plugins.keys()].map((name) => this.version(name)).join(" ")
  }

  get files(): ReadonlyArray<string> {
    return [...this.byFile.values()].flatMap(({ files }) => [...files.keys()])
  }

  /** Lets Node load modules as before. */
  close(): void {
    this.hooks?.deregister()
    this.hooks = undefined
  }

  private add(name: string, file: string): void {
    this.hooks ??= registerHooks({ resolve: (...given) => this.resolve(...given) })
    let plugin = this.byFile.get(file)
    if (plugin === undefined) {
      plugin = { files: new Map([[file, undefined]]), version: "" }
      this.byFile.set(file, plugin)
    }
    this.plugins.set(name, plugin)
  }

  private readonly resolve = (
    specifier: string,
    context: Parameters<Resolve>[1],
    next: Parameters<Resolve>[2],
  ): ReturnType<Resolve> => {
    const resolved = next(specifier, context)
    if (!resolved.url.startsWith("file:")) return resolved
    const file = fileURLToPath(resolved.url)
    const plugin = this.byFile.get(file) ?? this.importer(context.parentURL)
    if (plugin === undefined || isPackage(file)) return resolved
    if (!plugin.files.has(file)) plugin.files.set(file, undefined)
    const { version } = plugin
    return version === "" ? resolved : { ...resolved, url: versioned(file, version) }
  }

  /** The plugin that a module belongs to. */
  private importer(parent: string | undefined): Plugin | undefined {
    if (parent === undefined || !parent.startsWith("file:")) return undefined
    const file = fileURLToPath(parent)
    return [...this.byFile.values()].find(({ files }) => files.has(file))
  }
}

type Resolve = NonNullable<Parameters<typeof registerHooks>[0]["resolve"]>

const versioned = (file: string, version: string): string => {
  const url = pathToFileURL(file)
  url.searchParams.set(VERSION, version)
  return url.href
}

/** Empty for a file that has gone: the import reports it. */
const textDigest = (file: string): string => {
  try {
    return hash("sha1", readFileSync(file))
  } catch {
    return ""
  }
}

/** Packages are installed, not edited. */
const isPackage = (file: string): boolean => /[\\/]node_modules[\\/]/.test(file)
