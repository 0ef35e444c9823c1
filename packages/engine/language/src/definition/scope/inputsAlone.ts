/** What the user's message of an example may read. */
import type { Environment } from "@planloom/expression/check"

const readable: ReadonlySet<string> = new Set(["inputs", "flags", "session"])

/** An example is not part of a run. */
export const inputsAlone = ({ roots, unknownRoot }: Environment): Environment => ({
  roots: Object.fromEntries(Object.entries(roots).filter(([name]) => readable.has(name))),
  unknownRoot: (name, rest) =>
    Object.hasOwn(roots, name)
      ? {
          code: "PL1101",
          message: `an example has no "${name}"`,
          help: "use only inputs, flags and session in the user's message",
        }
      : unknownRoot(name, rest),
})
