/** Rejects an unsupported version of Node before anything is written: the project's installation would fail. */
import { NotCreated } from "./NotCreated.ts"
import { engineNode } from "./packageRoot.ts"

export const requireNode = (version = process.versions.node): void => {
  const least = engineNode()
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const [leastMajor = 0, leastMinor = 0] = least.split(".").map(Number)
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return
  throw new NotCreated(
    "unwritten",
    `planloom needs Node ${least} or newer; this is Node ${version}`,
    "nothing was written: install a newer Node, and run the command again",
  )
}
