/** Finds a plugin's module by package name or path, as Node would from the workflow's folder, and imports it. */
import { createRequire, findPackageJSON } from "node:module"
import { dirname, isAbsolute, join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { suggest } from "@planloom/expression/suggestion"
import { readFileSync, readdirSync, realpathSync } from "./FileSystem.ts"

/** Path of the module's file with all links resolved, or why it cannot be found. Runs no code. */
export const findModule = (
  name: string,
  folder: string,
  /** Names of plugins that the host brings. */
  brought: ReadonlyArray<string> = [],
): { readonly file: string } | Unusable => {
  const file = isPath(name) ? resolve(folder, name) : resolvePackage(name, folder)
  if (file === undefined) {
    const near = suggest(name, [...brought, ...installedBeside(name, folder)])
    const scoped = brought.filter((one) => one.startsWith("@planloom/"))
    const ours = name.startsWith("@planloom/") && scoped.length > 0
    return {
      reason: "the package is not installed",
      help: [
        ...(near === undefined ? [] : [`did you mean "${near}"?`]),
        ...(near === undefined && ours ? [`these come with planloom: ${scoped.join(", ")}.`] : []),
        `${near === undefined && !ours ? "" : "If not: "}npm install ${name}`,
      ].join(" "),
    }
  }
  // As a URL, the bare name of a built-in module would be a file of the working folder.
  if (!isAbsolute(file)) return { reason: "it is a module of Node, not a plugin" }
  try {
    return { file: realpathSync(file) }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return { reason: code === "ENOENT" ? "the file does not exist" : message }
  }
}

/** Packages of the same scope that a module of the folder could import. */
const installedBeside = (name: string, folder: string): ReadonlyArray<string> => {
  const scope = name.startsWith("@") && name.includes("/") ? name.split("/", 1)[0]! : ""
  const paths = createRequire(join(resolve(folder), "workflow.js")).resolve.paths(name) ?? []
  return paths.flatMap((path) => {
    try {
      return readdirSync(join(path, scope)).map((found) => join(scope, found))
    } catch {
      return []
    }
  })
}

export interface Unusable {
  readonly reason: string
  readonly help?: string
  /** Where its code threw. */
  readonly stack?: string
}

/** The stack of what a plugin's code threw. */
export const stackOf = (error: unknown): { readonly stack?: string } =>
  error instanceof Error && error.stack !== undefined ? { stack: error.stack } : {}

/** The module's default export, or why importing it failed. Runs the module's code. */
export const importModule = async (
  file: string,
): Promise<{ readonly value: unknown } | Unusable> => {
  try {
    const module = (await import(pathToFileURL(file).href)) as { readonly default?: unknown }
    return { value: module.default }
  } catch (error) {
    return { reason: reasonOf(error), ...stackOf(error) }
  }
}

const isPath = (name: string) => name.startsWith(".") || isAbsolute(name)

const resolvePackage = (name: string, folder: string): string | undefined => {
  const base = join(resolve(folder), "workflow.js")
  try {
    return createRequire(base).resolve(name)
  } catch {
    return resolveImportOnly(name, base)
  }
}

/** Packages whose exports have only an `import` condition cannot be resolved by `require`. */
const resolveImportOnly = (name: string, base: string): string | undefined => {
  try {
    const manifest = findPackageJSON(name, base)
    if (manifest === undefined) return undefined
    const { exports } = JSON.parse(readFileSync(manifest, "utf8")) as { exports?: unknown }
    const target = importTarget(exports)
    return target === undefined ? undefined : join(dirname(manifest), target)
  } catch {
    return undefined
  }
}

/** The module that `import` loads from a package, by the `exports` of its package.json. */
export const importTarget = (exports: unknown): string | undefined => {
  if (typeof exports === "string") return exports
  if (typeof exports !== "object" || exports === null) return undefined
  const conditions = exports as { readonly [condition: string]: unknown }
  return importTarget(
    conditions["."] ?? conditions["import"] ?? conditions["node"] ?? conditions["default"],
  )
}

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return `it threw ${String(error)}`
  const { code, message } = error as NodeJS.ErrnoException
  if (code === "ERR_MODULE_NOT_FOUND") {
    // "Cannot find package 'x' imported from y".
    const missing = /^Cannot find (?:package|module) '([^']+)'/.exec(message)?.[1]
    if (missing !== undefined) return `it imports "${missing}", which cannot be found`
  }
  const firstLine = message.split("\n", 1)[0]!
  if (!(error instanceof SyntaxError)) return firstLine
  // Node's messages for a module that it reads as CommonJS.
  if (
    /^(?:Cannot use import statement outside a module|Unexpected token 'export')$/.test(firstLine)
  )
    return 'the nearest package.json makes it CommonJS: write "type": "module" there'
  // Node gives the line of a syntax error only at the start of the stack.
  const line = /^(?:file:\/\/)?\S*?:(\d+)\n/.exec(error.stack ?? "")?.[1]
  return `it cannot be parsed${line === undefined ? "" : `, line ${line}`}: ${firstLine}`
}
