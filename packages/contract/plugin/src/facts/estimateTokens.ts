/**
 * About how many tokens a text has: four characters each for Latin letters, one each beyond the
 * Latin blocks. An estimate, for budgets and dry runs; providers count exactly.
 */
export const estimateTokens = (text: string): number => {
  let wide = 0
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x24f) wide++
  return Math.ceil((text.length - wide) / 4) + wide
}
