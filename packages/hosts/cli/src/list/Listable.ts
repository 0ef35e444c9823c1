/** What `planloom list` can list. */

export const listable = [
  "workflows",
  "stages",
  "providers",
  "models",
  "tools",
  "files",
  "prompts",
  "hooks",
  "subagents",
  "validators",
  "indexes",
  "embedders",
  "rerankers",
  "stores",
  "domains",
  "functions",
  "triggers",
  "plugins",
] as const

export type Listable = (typeof listable)[number]
