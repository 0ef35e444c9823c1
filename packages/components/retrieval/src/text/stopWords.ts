/** Words that do not help to choose a tool by themselves: grammar and polite phrases. */
const grammar = `a about after all also am an and any are as at be because been before being both but by can cannot could did
do does doing down during each few for from further had has have having he her here hers him his how i if in into is it
its itself just let me more most my myself no nor not now of off on once only or other our ours out over own s same she should
so some such t than that the their them then there these they this those through to too under until up us very was we were
what when where which while who whom why will with would you your yours ll re ve m d im ive id whats`

const politePhrases = `please help need want like know tell give show wondering hi hello hey thanks thank kindly assist able looking
trying interested curious possible using use used provide make sure want going get could would currently new`

/** Lower-case, like the output of `words`. */
export const stopWords: ReadonlySet<string> = new Set(`${grammar} ${politePhrases}`.split(/\s+/))

/** Stop words that change what a verb means: `turn on`, `turn off`, `log in`, `volume up`. */
export const particles: ReadonlySet<string> = new Set(
  "on off up down in out over under back away".split(" "),
)
