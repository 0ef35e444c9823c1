/** Which versions of Node cannot run this, said before anything is loaded that they do not know. */

/** Of package.json's `engines`: the oldest that reads TypeScript plugins without a flag. */
export const least = "22.19"

/** What to say to a version that is too old. */
export const tooOld = (version: string): string | undefined => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const [leastMajor = 0, leastMinor = 0] = least.split(".").map(Number)
  return major > leastMajor || (major === leastMajor && minor >= leastMinor)
    ? undefined
    : `error: planloom needs Node ${least} or newer; this is Node ${version}`
}
