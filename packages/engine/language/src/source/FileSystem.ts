/** The synchronous file system of Node, without what a static import of it loads. */

/** An import of `node:fs` makes Node load its promises and streams, too, at the start of every host. */
export const { existsSync, readFileSync, readdirSync, realpathSync } =
  process.getBuiltinModule("node:fs")
