/** The quick way through strings that nothing is wrong with. */
import type { Place } from "./closes.ts"
import * as unit from "./units.ts"

/** A body that ends with one of these may have lost its closing quote, or the quote is escaped. */
const DOUBTFUL = unit.unitsOf(" \n\r\t,:=+\\")
/** What may stand behind a bracket that ends a container. */
const BEHIND = unit.unitsOf(",]}\n ")

/** Offset of the closing quote when no doubt is possible, else -1. It never looks past the text there is. */
export const plainEnd = (text: string, start: number, place: Place): number => {
  const opener = text.charCodeAt(start)
  if (opener !== unit.QUOTE && opener !== unit.TICK) return -1
  const end = quoteAfter(text, start)
  return end >= 0 && endsPlainly(text, end, place) ? end : -1
}

/** Whether the first quote of its own kind ends a string: of one without control characters. */
export const endsPlainly = (text: string, end: number, place: Place): boolean => {
  if (place === "whole" || DOUBTFUL[text.charCodeAt(end - 1)] === 1) return false
  const next = text.charCodeAt(end + 1)
  if (place === "key") return next === unit.COLON
  const isQuoted = text.charCodeAt(end) === unit.QUOTE
  return endsBefore(text, end + 1, next, place === "member", isQuoted)
}

/** The first quote of its own kind that is not escaped; -1 where a control character stands before it, or the text ends. */
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

/** Whether what stands from `at` on can only follow a value, of a member or of an item. */
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
      return isMember && BEHIND[text.charCodeAt(at + 1)] === 1
    case unit.CLOSE_LIST:
      return !isMember && BEHIND[text.charCodeAt(at + 1)] === 1
    case unit.FEED: {
      const then = pastLayout(text, at + 1)
      const code = text.charCodeAt(then)
      if (isQuoted && code === unit.QUOTE) return true
      if (isQuoted) return code === unit.CLOSE_OBJECT || code === unit.CLOSE_LIST
      const closer = isMember ? unit.CLOSE_OBJECT : unit.CLOSE_LIST
      return code === closer && BEHIND[text.charCodeAt(then + 1)] === 1
    }
  }
  return false
}

const startsItem = (code: number): boolean =>
  code === unit.OPEN_OBJECT || code === unit.OPEN_LIST || code === unit.MINUS || unit.isDigit(code)

/** Offset of the colon right behind a name without quotes, -1 when there is none. */
export const bareNameEnd = (text: string, start: number): number => {
  if (!unit.isLetter(text.charCodeAt(start))) return -1
  let at = start + 1
  while (unit.isLetter(text.charCodeAt(at)) || unit.isDigit(text.charCodeAt(at))) at++
  return text.charCodeAt(at) === unit.COLON ? at : -1
}

/** Longest name that looking ahead recognises. */
const NAME = 64

const isBareName = (text: string, start: number): boolean => {
  const end = bareNameEnd(text, start)
  return end >= 0 && end - start <= NAME
}

/** Past blanks, as far as they are worth looking through. */
const pastLayout = (text: string, from: number): number => {
  let at = from
  while (at < from + 64 && (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 10)) at++
  return at
}
