/** What to say of an id no declared plugin has. */

/** The stage kinds and providers of the plugins that come with the command, for whoever forgot to declare one. */
const shipped: { readonly [plugin: string]: ReadonlyArray<string> } = {
  "@planloom/stages": [
    "narrow",
    "adapt",
    "cover",
    "execute",
    "generate",
    "call",
    "plan_turn",
    "act",
    "approve",
    "workflow",
  ],
  "@planloom/analyst": ["extract", "respond"],
  "@planloom/provider-anthropic": ["anthropic"],
  "@planloom/provider-google": ["google"],
  "@planloom/provider-openai": [
    "openai",
    "openrouter",
    "ollama",
    "llamacpp",
    "vllm",
    "lmstudio",
    "local",
  ],
}

export const unknownId = (
  id: string,
  known: ReadonlyArray<string>,
  near: string | undefined,
): string => {
  const plugin = Object.keys(shipped).find((name) => shipped[name]!.includes(id))
  if (plugin !== undefined) return `declare the plugin that has it: use: { plugins: ["${plugin}"] }`
  return known.length === 0
    ? "declare the plugin that has it: use: { plugins: [...] }"
    : `${near ?? ""}${near?.endsWith("?") ? "" : ";"} more come from plugins under use: { plugins: [...] }`
}
