/** Keeps an installed plugin from importing code of a folder that is not trusted. */
import { realpathSync } from "node:fs"
import { registerHooks } from "node:module"
import { fileURLToPath, pathToFileURL } from "node:url"
import { isInstalled } from "./isInstalled.ts"

/** URLs of modules whose imports are looked at: the plugins, and what they import. */
const guarded = new Set<string>()

/**
 * A lockfile names a plugin, and a tracked or linked package beside it that the plugin imports. Whatever the plugin
 * imports, now or while it runs, must be installed as well.
 */
export const guardImports = (plugin: string): void => {
  if (guarded.size === 0) registerHooks({ resolve: guard })
  guarded.add(pathToFileURL(plugin).href)
}

const guard: Parameters<typeof registerHooks>[0]["resolve"] = (specifier, context, next) => {
  const resolved = next(specifier, context)
  const { parentURL } = context
  if (parentURL === undefined || !guarded.has(parentURL)) return resolved
  if (resolved.url.startsWith("node:") || guarded.has(resolved.url)) return resolved
  const file = resolved.url.startsWith("file:") ? fileURLToPath(resolved.url) : resolved.url
  if (!resolved.url.startsWith("file:") || !isInstalled(realpathSync(file))) {
    throw new Error(`it imports ${file}, which is no installed package; --trust loads it`)
  }
  guarded.add(resolved.url)
  return resolved
}
