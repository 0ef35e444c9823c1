/** The digest that stores hold in place of a user's id. */
import type { JsonObject } from "../value/Json.ts"

/** SHA-256 of the user's `id`, in hex; undefined for a user without one. */
export const userDigest = (user: JsonObject | undefined): string | undefined => {
  const id = user?.["id"]
  return (typeof id === "string" && id !== "") || typeof id === "number"
    ? process.getBuiltinModule("node:crypto").hash("sha256", `planloom:user:${JSON.stringify(id)}`)
    : undefined
}
