/** The message on a plugin whose code throws while a file is checked. */

export const pluginCodeFailed = (part: string, error: unknown): string =>
  `the plugin's code for ${part} failed: ${error instanceof Error ? error.message : String(error)}`
