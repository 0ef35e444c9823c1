/** Fast path that finds the end of strings without errors. */
import type { StringRole } from "./StringContext.ts"
import * as unit from "../units.ts"

/** After one of these the closing quote may be missing or escaped. */
const DOUBTFUL = unit.unitsOf(" \n\r\t,:=+\\")
/** Characters allowed after a closing bracket. */
const AFTER_BRACKET = unit.unitsOf(",]}\n ")

/** Offset of the closing quote if it is certain, else -1. Never looks past the available text. */
export const plainEnd = (text: string, start: number, role: StringRole): number => {
  const opener = text.charCodeAt(start)
  if (opener !== unit.QUOTE && opener !== unit.TICK) return -1
  const end = quoteAfter(text, start)
  return end >= 0 && endsPlainly(text, end, role) ? end : -1
}

/** Whether the first quote of its kind ends a string without control characters. */
export const endsPlainly = (text: string, end: number, role: StringRole): boolean => {
  if (role === "whole" || DOUBTFUL[text.charCodeAt(end - 1)] === 1) return false
  const next = text.charCodeAt(end + 1)
  if (role === "key") return next === unit.COLON
  const isQuoted = text.charCodeAt(end) === unit.QUOTE
  return endsBefore(text, end + 1, next, role === "member", isQuoted)
}

/** The first unescaped quote of its kind; -1 if a control character precedes it or the text ends. */
const quoteAfter = (text: string, start: number): number => {
  const quote = text.charCodeAt(start)
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) return at
    if (code < 32) return -1
    if (code === unit.BACKSLASH && text.charCodeAt(++at) < 32) return -1
  }
  return -1
}

/** Whether the text from `at` on can only follow the value of a member or an item. */
const endsBefore = (
  text: string,
  at: number,
  next: number,
  isMember: boolean,
  isQuoted: boolean,
): boolean => {
  switch (next) {
    case unit.COMMA: {
      const then = pastLayout(text, at + 1)
      const code = text.charCodeAt(then)
      if (code === unit.QUOTE || (code === unit.TICK && !isQuoted)) return true
      if (code === unit.CLOSE_OBJECT || code === unit.CLOSE_LIST) return true
      return isMember ? isBareName(text, then) : startsItem(code)
    }
    case unit.CLOSE_OBJECT:
      return isMember && AFTER_BRACKET[text.charCodeAt(at + 1)] === 1
    case unit.CLOSE_LIST:
      return !isMember && AFTER_BRACKET[text.charCodeAt(at + 1)] === 1
    case unit.FEED: {
      const then = pastLayout(text, at + 1)
      const code = text.charCodeAt(then)
      if (isQuoted && code === unit.QUOTE) return true
      if (isQuoted) return code === unit.CLOSE_OBJECT || code === unit.CLOSE_LIST
      const closer = isMember ? unit.CLOSE_OBJECT : unit.CLOSE_LIST
      return code === closer && AFTER_BRACKET[text.charCodeAt(then + 1)] === 1
    }
  }
  return false
}

const startsItem = (code: number): boolean =>
  code === unit.OPEN_OBJECT || code === unit.OPEN_LIST || code === unit.MINUS || unit.isDigit(code)

/** Offset of the colon directly after an unquoted name, or -1. */
export const bareNameEnd = (text: string, start: number): number => {
  if (!unit.isLetter(text.charCodeAt(start))) return -1
  let at = start + 1
  while (unit.isLetter(text.charCodeAt(at)) || unit.isDigit(text.charCodeAt(at))) at++
  return text.charCodeAt(at) === unit.COLON ? at : -1
}

/** Longest name that lookahead recognizes. */
const MAX_NAME_UNITS = 64

const isBareName = (text: string, start: number): boolean => {
  const end = bareNameEnd(text, start)
  return end >= 0 && end - start <= MAX_NAME_UNITS
}

/** Skips blanks, at most 64. */
const pastLayout = (text: string, from: number): number => {
  let at = from
  while (at < from + 64 && (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 10)) at++
  return at
}
