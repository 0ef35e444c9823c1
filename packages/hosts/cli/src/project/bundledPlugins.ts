/** Plugins that come with the command, which workflows can use without installing them. */
import type { Plugin } from "@planloom/plugin/effect"

/** Loaders by package name; a plugin is loaded only when a workflow names it. */
export const bundledPlugins: { readonly [name: string]: () => Promise<Plugin> } = {
  "@planloom/stages": async () => (await import("@planloom/stages")).default,
  "@planloom/analyst": async () => (await import("@planloom/analyst")).default,
  "@planloom/hooks": async () => (await import("@planloom/hooks")).default,
  "@planloom/subagents": async () => (await import("@planloom/subagents")).default,
  "@planloom/validators": async () => (await import("@planloom/validators")).default,
  "@planloom/shadow": async () => (await import("@planloom/shadow")).default,
  "@planloom/tools-data": async () => (await import("@planloom/tools-data")).default,
  "@planloom/tools-http": async () => (await import("@planloom/tools-http")).default,
  "@planloom/mcp": async () => (await import("@planloom/mcp")).default,
  "@planloom/retrieval": async () => (await import("@planloom/retrieval")).default,
  "@planloom/documents": async () => (await import("@planloom/documents")).default,
  "@planloom/provider-anthropic": async () =>
    (await import("@planloom/provider-anthropic")).default,
  "@planloom/provider-google": async () => (await import("@planloom/provider-google")).default,
  "@planloom/provider-openai": async () => (await import("@planloom/provider-openai")).default,
  "@planloom/store-sqlite": async () => (await import("@planloom/store-sqlite")).default,
}
