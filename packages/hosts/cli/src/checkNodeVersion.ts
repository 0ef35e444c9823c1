/** Rejects unsupported versions of Node, before any code is loaded that they cannot parse. */

/** The oldest version that loads TypeScript plugins without a flag; equals package.json's `engines`. */
export const minimumNode = "22.19"

/** Returns the error message for a version that is too old, otherwise undefined. */
export const checkNodeVersion = (version: string): string | undefined => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const [leastMajor = 0, leastMinor = 0] = minimumNode.split(".").map(Number)
  return major > leastMajor || (major === leastMajor && minor >= leastMinor)
    ? undefined
    : `error: planloom needs Node ${minimumNode} or newer; this is Node ${version}`
}
