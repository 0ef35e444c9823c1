/** The JSON Schema of libraries by name: of the file kind `Documents` and of the section `libraries`. */
import type { JsonSchema } from "@planloom/plugin/effect"

const patterns = (description: string) => ({
  type: "array",
  items: { type: "string", minLength: 1 },
  minItems: 1,
  description: `${description}; \`**\` stands for any folders, \`*\` for any characters of a name.`,
})

const name = { type: "string", minLength: 1 }

const rows: JsonSchema = {
  anyOf: [
    { type: "string", minLength: 1 },
    {
      type: "object",
      properties: {
        file: { type: "string", minLength: 1, description: "Its path, from this file." },
        table: { ...name, description: "The table of a SQLite file, or the sheet of a workbook." },
        key: {
          ...name,
          description: "The column whose values identify rows; their content unless written.",
        },
        columns: {
          type: "array",
          items: name,
          minItems: 1,
          description: "The columns that are searched; all unless written.",
        },
      },
      required: ["file"],
      additionalProperties: false,
    },
  ],
}

export const setsSchema: JsonSchema = {
  type: "object",
  propertyNames: { pattern: "^[A-Za-z][A-Za-z0-9_-]*$" },
  additionalProperties: {
    type: "object",
    properties: {
      folder: {
        type: "string",
        minLength: 1,
        description: "The folder whose files are searched, from this file.",
      },
      include: patterns(
        "Paths below the folder that are read; all with a known format unless written",
      ),
      exclude: patterns("Paths below the folder that are left out"),
      max_files: {
        type: "integer",
        minimum: 1,
        maximum: 1_000_000,
        description: "The most files below the folder; 100,000 unless written.",
      },
      urls: {
        type: "array",
        items: { type: "string", format: "uri", pattern: "^https?://[^#@]+$" },
        minItems: 1,
        maxItems: 10_000,
        uniqueItems: true,
        description:
          "Pages that are searched: HTML, Markdown, text or PDF. `planloom documents sync` and `planloom serve` ask them for changes.",
      },
      private: {
        type: "array",
        items: { type: "string", pattern: "^[0-9a-fA-F:.]+(?:/[0-9]{1,3})?$" },
        minItems: 1,
        description:
          "Addresses of `urls` that are not public and may be connected to, such as 10.0.0.0/8.",
      },
      rows: {
        anyOf: [rows, { type: "array", items: rows, minItems: 1 }],
        description:
          "Files whose rows are searched, each row by itself: CSV, TSV, JSON, JSON Lines, SQLite or Excel.",
      },
      facets: {
        type: "array",
        items: name,
        minItems: 1,
        description:
          "Fields of front matters, and columns of rows, by whose values a search is narrowed.",
      },
      user: {
        ...name,
        description:
          "The facet that names the user whom a row or document is about: `planloom users forget` erases it.",
      },
      sync: {
        type: "object",
        properties: {
          every: {
            type: "string",
            format: "duration",
            pattern: "[1-9]",
            description: "The time between two syncs, such as `10m`.",
          },
        },
        required: ["every"],
        additionalProperties: false,
        description: "When `planloom serve` syncs the library, besides the searches of its runs.",
      },
      embedder: {
        type: "string",
        minLength: 1,
        description:
          "The id of an embedder, by which passages are found by meaning, too; by their words alone unless written.",
      },
      rerank: {
        type: "string",
        minLength: 1,
        description:
          "The id of a reranker, which puts what is found into its order; unless written, it keeps that of the search.",
      },
      where: {
        type: "object",
        minProperties: 1,
        additionalProperties: { type: "string", format: "cel", minLength: 1 },
        description:
          "What a search may find at all: by facet, CEL over `user` and `inputs` for the value, or the list of values, of which a passage must have one.",
      },
    },
    anyOf: [{ required: ["folder"] }, { required: ["rows"] }, { required: ["urls"] }],
    additionalProperties: false,
  },
  description: "Libraries by name.",
}
