/** Generated parts of a page that people write: between `<!-- generated: NAME -->` and `<!-- /generated -->`. */

/** The page with the body of each named part replaced. Throws where a part is missing, so that none is left out silently. */
export const withBlocks = (page: string, blocks: { readonly [name: string]: string }): string =>
  Object.entries(blocks).reduce((text, [name, body]) => {
    const open = `<!-- generated: ${name} -->\n`
    const from = text.indexOf(open)
    const to = text.indexOf("<!-- /generated -->", from)
    if (from < 0 || to < 0) throw new Error(`the page has no generated part "${name}"`)
    return `${text.slice(0, from + open.length)}${body.trimEnd()}\n${text.slice(to)}`
  }, page)
