/** The base URL of an operation. */
import { below, entriesOf, itemsOf, textAt, type Part, type Spec } from "./Spec.ts"

/** The first server of the operation, its path, or the document; undefined if it is not a whole URL. */
export const readServer = (
  spec: Spec,
  owners: ReadonlyArray<Part>,
  /** URL of the document, which relative servers start from. */
  base: string | undefined,
): string | undefined => {
  const server = [...owners, spec.root].flatMap((owner) =>
    itemsOf(below(owner, "servers")).slice(0, 1),
  )[0]
  const written = server === undefined ? "/" : (textAt(server, "url") ?? "/")
  const variables = new Map(
    server === undefined
      ? []
      : entriesOf(below(server, "variables")).map(([name, one]) => [
          name,
          below(one, "default").value,
        ]),
  )
  const url = written.replaceAll(/\{([^{}]+)\}/g, (whole, name: string) =>
    String(variables.get(name) ?? whole),
  )
  if (!URL.canParse(url, base) || /[{}]/.test(url)) return undefined
  const { protocol } = new URL(url, base)
  return protocol === "https:" || protocol === "http:"
    ? new URL(url, base).href.replace(/\/+$/, "")
    : undefined
}
