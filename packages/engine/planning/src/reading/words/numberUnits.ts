/** Letters that directly follow a number and leave it a number: units of measure, scales and times of the day. */

const units = new Set(
  (
    "am pm h hr hrs min mins s sec secs ms w wk wks y yr yrs " +
    "mm cm m km mi ft in yd m2 m² m3 m³ km2 km² ft2 ft² mg g kg lb lbs oz t ml cl dl l gal " +
    "kb mb gb tb kib mib gib bps kbps mbps gbps hz khz mhz ghz fps rpm dpi px pt em p " +
    "kmh kph mph v kv w kw mw kwh wh mah kj kcal cal pct pcs pc " +
    "k mn mio bn x usd eur gbp chf jpy mxn cop ars brl"
  ).split(" "),
)

/** A word written without a space; letters that may as well be digits of a hexadecimal code, or its `0x`, are none. */
const isWordBehind = (letters: string): boolean =>
  /^\p{Ll}{4,}$/u.test(letters) && !/^x|^[a-f]+$/.test(letters)

/** Whether letters leave a number a number: `kg` of "12kg", `nd` of "2nd", `people` of "20people". */
export const isBehindNumber = (letters: string, ordinals: ReadonlyArray<string>): boolean => {
  const lower = letters.toLowerCase()
  return units.has(lower) || ordinals.includes(lower) || isWordBehind(letters)
}
