/** English words of grammar and of asking, which are no words of a subject. */
export const grammarWords: ReadonlySet<string> = new Set(
  `a about all also am an and any anything are as at be because been before being both but by can cannot could d did do does doing
during each either every everything few for from had has have having he her here hers him his how i if in into is it its just ll
many may me might mine more most much my neither no nobody none nor not nothing of off on once only or other our ours out over
own please re s same she should so some somebody someone something such t than that the their theirs them then there these they
this those through to too under until up us ve very was we were what when where whether which while who whom whose why will with
within without would you your yours find finds give gives know knows looking need needs show shows tell tells want wants hello hi
thanks`.split(/\s+/),
)
