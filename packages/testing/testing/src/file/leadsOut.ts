/** Finds paths of a test file that lead out of its project: what a test writes stays inside. */
import { realpath } from "node:fs/promises"
import { dirname } from "node:path"
import { projectFolder } from "@planloom/language"
import { isInside } from "@planloom/plugin/roots"
import { realTarget } from "@planloom/plugin/targets"

/** The reason why nothing is written to the path; undefined for one inside the project of the test file. */
export const leadsOut = async (path: string, file: string): Promise<string | undefined> => {
  const project = await realpath(await projectFolder(dirname(file)))
  const real = await realTarget(path)
  return isInside(real, project)
    ? undefined
    : `${path} leads to ${real}, outside of the project ${project}; nothing was written`
}
