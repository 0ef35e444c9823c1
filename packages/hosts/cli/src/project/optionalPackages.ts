/** Packages that plugins of the command need and that are installed beside it only where they are wanted. */

/** What a plugin cannot work without. Charts of `@planloom/tools-data` need Vega as well; the failing tool says so. */
export const neededPackages: { readonly [plugin: string]: ReadonlyArray<string> } = {
  "@planloom/mcp": ["@modelcontextprotocol/client"],
  "@planloom/provider-anthropic": ["@anthropic-ai/sdk"],
  "@planloom/provider-google": ["@google/genai"],
  "@planloom/provider-openai": ["openai"],
  "@planloom/tools-data": ["@duckdb/node-api"],
}

/** Returns the packages of a plugin that Node cannot find from here. */
export const missingPackages = (plugin: string): ReadonlyArray<string> =>
  (Object.hasOwn(neededPackages, plugin) ? neededPackages[plugin]! : []).filter(
    (name) => !isInstalled(name),
  )

const isInstalled = (name: string): boolean => {
  try {
    import.meta.resolve(name)
    return true
  } catch {
    return false
  }
}
