/** The number of terminal columns that a text takes. */

/** Blocks whose characters take two columns (Unicode, East Asian Width W and F, in short). */
const wide: ReadonlyArray<readonly [first: number, last: number]> = [
  [0x11_00, 0x11_5f],
  [0x2e_80, 0x30_3e],
  [0x30_41, 0x33_ff],
  [0x34_00, 0x4d_bf],
  [0x4e_00, 0x9f_ff],
  [0xa0_00, 0xa4_cf],
  [0xac_00, 0xd7_a3],
  [0xf9_00, 0xfa_ff],
  [0xfe_30, 0xfe_6f],
  [0xff_00, 0xff_60],
  [0xff_e0, 0xff_e6],
  [0x1_f3_00, 0x1_f6_4f],
  [0x1_f9_00, 0x1_f9_ff],
  [0x2_00_00, 0x3_ff_fd],
]

const combining = /^\p{M}$/u

export const displayWidth = (text: string): number => {
  let columns = 0
  for (const character of text) {
    const code = character.codePointAt(0)!
    if (code < 0x3_00) columns++
    else if (wide.some(([first, last]) => code >= first && code <= last)) columns += 2
    else if (!combining.test(character) && code !== 0x20_0d && code !== 0xfe_0f) columns++
  }
  return columns
}
