/** Compares an expected value with an actual one and lists the differences. */
import { isObject } from "@planloom/schema"
import type { Json } from "@planloom/plugin/effect"

/**
 * An object must contain the expected entries and may contain more; a list must have the same entries in the same
 * order. Returns an empty list if the values match.
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
