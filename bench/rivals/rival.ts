/** Libraries that Planloom is only compared with. They are a workspace of their own, installed with the first use of one. */
import { installOnce } from "../../.ci/installOnce.ts"

/** The module of a library, of the part of its type that is used. */
export const rival = async <Module>(name: string): Promise<Module> => {
  installOnce(import.meta.dirname)
  return import(name) as Promise<Module>
}
