/** Lists of records as rows and as CSV. */
import { describe, expect, it } from "vitest"
import { csvOf, flatRows } from "./flatRows.ts"

describe("a list of objects", () => {
  it("has the keys of all its objects as columns", () => {
    expect(flatRows([{ id: 1 }, { id: 2, name: "b" }])?.names).toEqual(["id", "name"])
  })

  it.each([
    [[]],
    [[{}]],
    [[{ id: 1 }, 2]],
    [[{ id: { inner: 1 } }]],
    [[{ ids: [1] }]],
    [{ id: 1 }],
  ])("is not flat rows when it is %j", (value) => {
    expect(flatRows(value)).toBeUndefined()
  })
})

describe("CSV of flat rows", () => {
  it("quotes separators, leaves missing cells empty and neutralizes formulas", () => {
    const rows = flatRows([
      { name: 'the "big", one', n: -1, formula: "=SUM(A1)" },
      { name: "two\nlines", ok: true, n: null },
    ])!
    expect(csvOf(rows)).toBe(
      'name,n,formula,ok\r\n"the ""big"", one",-1,\'=SUM(A1),\r\n"two\nlines",,,true\r\n',
    )
  })
})
