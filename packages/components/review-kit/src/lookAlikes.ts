/** Lower-case letters of other alphabets, and of special forms, that are read as a Latin letter. */

const shapes: { readonly [latin: string]: string } = {
  a: "аαɑᴀ",
  b: "вβьʙ",
  c: "сϲᴄ",
  d: "ԁđᴅ",
  e: "еεєᴇ",
  f: "ꜰƒ",
  g: "ɡɢ",
  h: "һнʜ",
  i: "іιıɩɪӏ",
  j: "јϳᴊ",
  k: "кκᴋ",
  l: "łʟ",
  m: "мᴍ",
  n: "ηпɴ",
  o: "оοøσᴏ",
  p: "рρᴘ",
  q: "ԛ",
  r: "гʀ",
  s: "ѕꜱ",
  t: "тτᴛ",
  u: "υᴜ",
  v: "νѵᴠ",
  w: "ԝωᴡ",
  x: "хχ",
  y: "уүγʏ",
  z: "ᴢ",
  "'": "’ʼ",
}

export const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  Object.entries(shapes).flatMap(([latin, others]) =>
    [...others].map((other) => [other, latin] as const),
  ),
)
