/** Prevents an installed plugin from importing code of an untrusted folder. */
import { realpathSync } from "node:fs"
import { registerHooks } from "node:module"
import { fileURLToPath, pathToFileURL } from "node:url"
import { isInstalled } from "./isInstalled.ts"

/** URLs of modules whose imports are checked: plugins and their imports. */
const guarded = new Set<string>()

/**
 * Guards a plugin: every module that it imports, now or later, must be part of an installed package too. Otherwise
 * the plugin could import a tracked or linked package.
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
    throw new Error(
      `it imports ${file}, which is not part of an installed package; --trust loads it`,
    )
  }
  guarded.add(resolved.url)
  return resolved
}
