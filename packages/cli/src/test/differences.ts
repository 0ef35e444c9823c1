/** What was expected and what came → where they differ. */
import { isObject } from "@planloom/schema"
import type { Json } from "@planloom/plugin"

/**
 * An object must hold what is expected of it and may hold more; a list must have the same entries in the same
 * order. Empty when it does.
 */
export const differences = (
  expected: Json,
  found: Json | undefined,
  at = "",
): ReadonlyArray<string> => {
  if (Array.isArray(expected) && Array.isArray(found) && expected.length === found.length) {
    return expected.flatMap((entry: Json, index) =>
      differences(entry, found[index] as Json, `${at}[${index}]`),
    )
  }
  if (isObject(expected) && isObject(found)) {
    return Object.entries(expected).flatMap(([name, entry]) =>
      differences(
        entry,
        Object.hasOwn(found, name) ? found[name] : undefined,
        at === "" ? name : `${at}.${name}`,
      ),
    )
  }
  if (!isObject(expected) && JSON.stringify(expected) === JSON.stringify(found)) return []
  const place = at === "" ? "" : `${at}: `
  return [
    `${place}expected ${JSON.stringify(expected)}, found ${found === undefined ? "nothing" : JSON.stringify(found)}`,
  ]
}
