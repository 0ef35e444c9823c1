/** The pnpm that runs us, or else the one the README names. It may be a script or a native program. */
export const pnpmCommand = (): readonly [string, ...ReadonlyArray<string>] => {
  const self = process.env["npm_execpath"]
  if (self === undefined || !self.includes("pnpm")) return ["npx", "-y", "pnpm@12"]
  return /\.[cm]?js$/.test(self) ? [process.execPath, self] : [self]
}
