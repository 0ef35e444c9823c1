/** What to say of an id no declared plugin has. */

export const unknownId = (known: ReadonlyArray<string>, near: string | undefined): string =>
  known.length === 0
    ? "declare the plugin that has it: use: { plugins: [...] }"
    : `${near ?? ""}${near?.endsWith("?") ? "" : ";"} more come from plugins under use: { plugins: [...] }`
