/** Loads libraries on first use, so that programs without them start faster. */
import type { Ajv } from "ajv"
import type * as Formats from "ajv-formats/dist/formats.js"
import type * as Re2 from "re2js"

interface Libraries {
  readonly re2js: typeof Re2
  readonly "ajv-formats/dist/formats.js": typeof Formats
  readonly ajv: { readonly Ajv: typeof Ajv }
  readonly "ajv/dist/2020.js": { readonly Ajv2020: typeof Ajv }
}

const loaded: { [name in keyof Libraries]?: unknown } = {}

export const library = <N extends keyof Libraries>(name: N): Libraries[N] =>
  (loaded[name] ??= requireOnce(name)) as Libraries[N]

/** Sets libraries that cannot be loaded on first use, as in a browser. */
export const provide = (libraries: Partial<Libraries>): void => {
  Object.assign(loaded, libraries)
}

const requireOnce = (name: string): unknown => {
  if (!("process" in globalThis))
    throw new TypeError(`the schema needs the library ${name}, which cannot be loaded here`)
  // Resolved at run time: a static import of `node:module` would break browsers.
  const { createRequire } = process.getBuiltinModule("node:module")
  return createRequire(import.meta.url)(name)
}
