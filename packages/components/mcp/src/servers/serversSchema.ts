/** The JSON Schema of servers by name: of the file kind `McpServers` and of the section `mcp`. */
import type { JsonSchema } from "@planloom/plugin/effect"

const named = { type: "string", minLength: 1 }
const duration = { type: "string", format: "duration", pattern: "[1-9]|^[^0]*$" }
const names = (description: string) => ({
  type: "array",
  items: named,
  description: `${description}; \`*\` stands for any characters.`,
})
const secret = { type: "string", pattern: "^[A-Za-z_][A-Za-z0-9_]*$" }
const fallback = {
  default: { type: "string", description: "What it is without a value; else the server fails." },
}

const value = (secretMembers: object, ...more: ReadonlyArray<object>) => ({
  anyOf: [
    { type: "string" },
    {
      type: "object",
      properties: {
        secret: { ...secret, description: "A secret that the workflow declares." },
        prefix: { type: "string", description: "A text before it, such as `Bearer `." },
        ...secretMembers,
      },
      required: ["secret"],
      additionalProperties: false,
    },
    ...more,
  ],
})

const variable = {
  type: "object",
  properties: {
    env: { ...secret, description: "A variable of the process, passed on." },
    ...fallback,
  },
  required: ["env"],
  additionalProperties: false,
}

const server = {
  type: "object",
  properties: {
    command: {
      ...named,
      description: "The program to start; a path with `/` starts at this file.",
    },
    args: { type: "array", items: { type: "string" }, description: "Its arguments." },
    cwd: {
      ...named,
      description: "Its working folder, from this file; the project's unless written.",
    },
    env: {
      type: "object",
      additionalProperties: value(fallback, variable),
      description: "All variables that it gets beside PATH, HOME and the like.",
    },
    url: { type: "string", pattern: "^https?://", description: "The server's address, for HTTP." },
    headers: {
      type: "object",
      additionalProperties: value({}),
      description: "Headers of every request.",
    },
    oauth: {
      type: "object",
      properties: {
        client_id: {
          ...named,
          description: "Its id, or the https:// address of a document that describes it.",
        },
        client_secret: {
          type: "object",
          properties: {
            secret: { ...secret, description: "A secret that the workflow declares." },
          },
          required: ["secret"],
          additionalProperties: false,
        },
      },
      required: ["client_id"],
      additionalProperties: false,
      description:
        "The client of `planloom mcp login`, for servers that register none by themselves.",
    },
    timeout: { ...duration, description: "For one call with all its progress; 1m unless written." },
    start_timeout: { ...duration, description: "To start, connect and list; 30s unless written." },
    concurrency: {
      type: "integer",
      minimum: 1,
      maximum: 1000,
      description: "Calls at once; 8 unless written.",
    },
    restart: {
      type: "object",
      properties: {
        delay: {
          ...duration,
          description: "After a failed start; doubled after each. 1s unless written.",
        },
        max_delay: { ...duration, description: "The longest delay; 1m unless written." },
      },
      additionalProperties: false,
      description: "When a server that has ended is started again.",
    },
    tools: {
      type: "object",
      properties: {
        allow: names("Its tools that the workflow may use; all unless written"),
        deny: names("Its tools that the workflow may not use"),
        json: names("Its tools whose text is JSON, which is then the value of a call"),
        whole: names("Its tools whose calls have text, attachments and data as their value"),
      },
      additionalProperties: false,
    },
    prefix: {
      type: "string",
      pattern: "^[A-Za-z][A-Za-z0-9_-]*$",
      description: "Before the names of its tools; the server's name unless written.",
    },
    trust: {
      enum: ["reads"],
      description: "`reads`: tools that the server calls read-only count as reads.",
    },
    sampling: {
      type: "boolean",
      description: "Whether it may ask the model of the stage that calls it.",
    },
    rate: {
      type: "object",
      properties: { calls_per_minute: { type: "number", exclusiveMinimum: 0 } },
      required: ["calls_per_minute"],
      additionalProperties: false,
      description: "The most calls a minute; later ones wait.",
    },
    retry: {
      type: "object",
      properties: {
        max_retries: { type: "integer", minimum: 0, maximum: 20 },
        delay: {
          ...duration,
          description: "Before the first retry; doubled after each. 500ms unless written.",
        },
      },
      required: ["max_retries"],
      additionalProperties: false,
      description: "Repeats reads that failed because the server was away or too busy.",
    },
    max_message_bytes: {
      type: "integer",
      minimum: 1000,
      maximum: 500_000_000,
      description: "Of one message of the server; 32 MB unless written.",
    },
  },
  additionalProperties: false,
}

export const serversSchema: JsonSchema = {
  type: "object",
  propertyNames: { pattern: "^[A-Za-z][A-Za-z0-9_-]*$" },
  additionalProperties: server,
  description: "Servers by name.",
}
