/** Options of the YAML parser: how every file is read: YAML 1.2, the types of JSON, text keys. */
export const yamlOptions = {
  version: "1.2",
  schema: "core",
  merge: false,
  stringKeys: true,
  uniqueKeys: true,
  strict: true,
  prettyErrors: false,
  logLevel: "error",
} as const
