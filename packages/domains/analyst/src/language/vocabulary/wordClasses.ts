/** Closed classes of English words in questions about tables: category → meaning → phrases. A vocabulary holds the open ones. */

/** Sources: Quirk et al., A Comprehensive Grammar of the English Language (1985), 2.34–2.45, 9.1–9.58. */
export const wordClasses = {
  THE: { "": "the, a, an, our, its, their, all, any, my" },
  AND: { "": "and, or, &, as well as" },
  /** What sets a row apart: before a condition. */
  LIMIT: {
    "":
      "in, for, from, of, only, just, within, only in, only for, just for, just in, at, on, with, to, is, are, equals, " +
      "equal to, about, only from, where, called, named, like, inside, among, amongst, across, during, than in, both, either, while, when, due to, because of",
    by: "by, per, each, every",
  },
  VERSUS: { "": "vs, versus, against, compared to, compared with, than", and: "with, to, nor" },
  IF: {
    "":
      "where, with, whose, having, if, when, for which, and, only, with a, with an, have, has, had, that have, who have, " +
      "which have, that has, have a, has a, had a, that are, who are, are, were, is, was, that were, who were, got, got a, get",
  },
  BE: {
    "":
      "are, is, was, were, with, with a, with an, has, have, had, has a, have a, had a, both, and, that are, who are, " +
      "that were, who were, which are, being, been, got, who, that, have been, has been, use, uses, used, contain, contains, containing, include, includes, including, involve, involving, cause, caused, causing, that contain, that include",
  },
  HAVING: {
    "":
      "where, with, whose, having, for which, that have, that has, that had, which have, which had, who have, who had, have, " +
      "has, had, with a, with an, that earn, that made, that make, which earn",
  },
  HAS: { "": "have, has, had, with, having" },
  LINK: {
    "": "is, are, was, were, of, has, have, had, with, a, an, the, being, got, at, cost, costs, weigh, weighs",
  },
  OP: {
    ">=": "at least, no less than, not less than, a minimum of, minimum of, not below",
    "<=": "at most, no more than, not more than, up to, a maximum of, maximum of, not above",
    ">":
      "more than, greater than, over, above, higher than, larger than, bigger than, exceeding, exceeds, exceed, beyond, " +
      "better than, of more than, of over, of above, upwards of",
    "<": "less than, fewer than, under, below, lower than, smaller than, worse than, of less than, of under, of below",
    "!=": "not equal to, is not, isn't, not, other than",
    "=": "equal to, equals, is exactly, exactly, is, are, of, was, were",
  },
  OR_MORE: {
    ">=": "or more, or higher, or above, or over, or older, or longer, or greater, and above, and over, or better",
    "<=": "or less, or fewer, or lower, or below, or under, or younger, or shorter, and below",
  },
  MISSING: {
    "": "missing, unknown, an unknown, is missing, are missing, is empty, is null, is unknown, without a value, has no value, blank",
  },
  LACKING: {
    "": "have no, has no, had no, having no, with no, without any, don't have a, do not have a, lack, lacking, lack a, had zero",
  },
  KIND: { "": "score, value, rating, entry" },
  STATUS: { "": "status, flag, state, indicator, yes or no" },
  DIVIDING: {
    "": "by, per, each, every, which, what, across, for each, for every, in each, group by, grouped by, by number of",
  },
  EACH: { "": "each, every, different, both, various, individual" },
  AMOUNT: { "": "number of, amount of, level of, kind of" },
  /** `lax` ones also stand before other words. */
  BY: {
    each:
      "per, for each, for every, in each, in every, each, every, within each, of each, from each, on each, at each, versus each, " +
      "by each, through each",
    "":
      "by, for all, across all, grouped by, group by, split by, split into, broken down by, break down by, breakdown by, " +
      "segmented by, separated by, separately for, divided by, according to, depending on, for the different, by the, across the",
    lax: "across, among, amongst, between, via, into",
  },
  JOINT: {
    "":
      "and, and by, and per, and for each, then by, then, as well as, as well as by, by, per, or, plus, and then by, along with, " +
      "and also by, and each",
  },
  WHICH: {
    "": "which, what, whose, compare, comparing, compare the, rank, rank the, what are the",
  },
  CYCLE: {
    weekday: "weekday, week day, day of the week, day of week, days of the week",
    month: "month of the year, month of year, calendar month",
    quarter: "quarter of the year, quarter of year",
    day: "day of the month, day of month",
    hour: "hour of the day, hour of day, time of day, time of the day, hour",
  },
  /** "which month is the driest": a habit, where "which month was" asks for one of them. */
  HABIT: { weekday: "day", month: "month", quarter: "quarter" },
  DOES: { "": "is, are, do, does, has, have" },
  UNSERVED: { "": "week of the year, day of the year, seasonality, seasonal pattern, seasonal" },
  DAY: {
    Monday: "Monday",
    Tuesday: "Tuesday",
    Wednesday: "Wednesday",
    Thursday: "Thursday",
    Friday: "Friday",
    Saturday: "Saturday",
    Sunday: "Sunday",
    weekend: "weekend",
  },
  ON: { "": "on, on a, during, during the, at, at the, only on, over the" },
  /** Before a part of time that groups. */
  ON_EACH: {
    "": "by, per, by the, each, for each, on which, which, at which, at what, what, on what, every, in which, in what, across, on each",
  },
  AHEAD: {
    "": "next, the next, for the next, over the next, coming, the coming, for the coming, following, upcoming",
  },
  OVER: { "": "over, of, over the last, across, with a, for, a, using" },
  /** Between a negation and what it excludes. */
  WANT: { "": "a, an, any, the, me, need, want, show, draw, make, with" },
  /** "in the table" refers to the data. */
  WHOLE: { "": "the, this, that, my, our, your, whole, entire, data" },
  MOST: {
    desc:
      "top, best, highest, largest, biggest, greatest, most, leading, strongest, first, best performing, best selling, " +
      "top selling, top performing, most successful, most popular",
    asc: "bottom, worst, lowest, smallest, least, weakest, fewest, last, poorest, worst performing, worst selling, least popular",
    "desc:rows": "busiest, most common, most frequent, most frequently, most often, commonest",
    "asc:rows": "least common, least frequent, rarest, quietest",
  },
  UNIT_OF_TIME: { day: "day", week: "week", month: "month", quarter: "quarter", year: "year" },
  RATIO: { "": "ratio of, ratio, ratio between, quotient of, share of, percentage of" },
  TO: {
    "": "to, over, per, and, versus, vs, divided by, by, as a share of, as a percentage of",
  },
  GAP: { "": "difference between, difference of, gap between, difference in, spread between" },
  PER: {
    "": "per, for each, divided by, for every, as a percentage of, as a share of, as percent of",
  },
  MINUS: { "": "minus, less" },
  TERM: { "": "the, total, of, a, each, average" },
  PAST: { "": "last, past, previous, recent, preceding, prior" },
  PRESENT: { "": "this, current" },
  ORDINAL: { 1: "first", 2: "second", 3: "third", 4: "fourth", last: "last, final" },
  TO_DATE: { "": "year to date, ytd, so far this year, this year so far" },
  /** Before a period, by the comparison with it. */
  WHEN: {
    "<": "before, prior to, earlier than",
    ">": "after, later than, following",
    "<=": "until, till, through, up to, up until, by the end of, to",
    ">=": "since, starting, starting in, starting from, beginning, beginning in, as of",
    "=":
      "in, from, during, for, of, only, just, within, on, at, in the year, in year, for the year, the year, only for, only in, year, " +
      "the month of, in the, over, over the, in the, during the, for the, within the",
  },
  /** Between periods. */
  AGAINST: {
    compare:
      "vs, versus, compared to, compared with, compare to, compare with, compare against, against, relative to, than in",
    "": "over, and, with, to",
  },
  TILL: { "": "to, until, till, through" },
  CHANGE: {
    "":
      "change, changed, growth, grow, grew, grown, increase, increased, decrease, decreased, difference, drop, dropped, fall, " +
      "fell, rise, rose, decline, declined, gain",
  },
  /** Words that make a question of a statement about all rows, whatever their tense. */
  AUXILIARY: {
    "":
      "what, what's, which, is, are, was, were, been, do, does, did, done, has, have, had, is there, are there, was there, " +
      "were there, all, all of, whole, entire, overall, in all, everywhere",
  },
  /** "how did revenue develop" asks for what the analysis gives; "how old" asks for something else. */
  HOW: {
    "": "how do, how does, how did, how is, how are, how was, how were, how has, how have, how's",
  },
  /** "between units and returns", once the analysis relates two things. */
  RELATING: {
    "": "between, among, with, against, versus, vs, than, both, each other, together",
  },
  /** The "type" of "weather type" belongs to the column before it. */
  SORT: {
    "": "type, kind, name, category, class, group, status, level, method",
  },
  /** Verbs of appearance and creation: that a row exists (Levin, English Verb Classes, 1993, 26 and 48). */
  APPEAR: {
    "":
      "written, composed, released, published, discovered, founded, born, opened, launched, introduced, established, recorded, reported, " +
      "registered, listed, created, made, built, produced, issued, held, started, placed, submitted, filed, admitted, logged, " +
      "observed, detected, sighted, measured, aired, appeared, appear, began, found, included",
  },
  HIGHER: { "": "more, less, higher, lower, greater, larger, smaller, bigger, fewer" },
} as const satisfies { readonly [category: string]: { readonly [meaning: string]: string } }

export type WordClass = keyof typeof wordClasses
