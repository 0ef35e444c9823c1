/** Function words and operators of English. */
import type { Grammar } from "./Grammar.ts"

const split = (text: string): ReadonlyArray<string> => text.split(/\s*,\s*/)

/** Sources: Quirk et al., A Comprehensive Grammar of the English Language (1985), 2.34–2.45 (closed classes). */
export const english: Grammar = {
  language: "en",
  acts: {
    affirm: split(
      "yes, yeah, yep, yup, sure, of course, correct, right, that is right, that's right, exactly, ok, okay, alright, all right, confirm, confirmed, i confirm, go ahead, do it",
    ),
    refuse: split(
      "no, nope, no thanks, no thank you, not now, stop, stop it, cancel, cancel it, cancel that, never mind, nevermind, forget it, forget about it, leave it, drop it, don't, do not, don't do it, nothing, nothing else, rather not",
    ),
    resume: split(
      "go on, continue, carry on, resume, let's continue, let us continue, back, go back, back to it, where were we, proceed",
    ),
    thank: split(
      "thanks, thank you, thank you very much, thank you so much, thanks a lot, many thanks, thx, ty, cheers, great, perfect, bye, goodbye, good bye, see you, that is all, that's all",
    ),
    greet: split(
      "hi, hello, hey, hi there, hey there, hello there, good morning, good afternoon, good evening, good day, greetings",
    ),
  },
  interjections: split(
    "wait, wait a moment, wait a minute, hold on, one moment, just a moment, one second, hang on, by the way, btw, oh, ah, hmm, hm, um, well, ok, okay, yes, so, actually, sorry, excuse me, thanks, thank you, great, hi, hello, hey, please",
  ),
  possessives: split("my, our"),
  amends: split(
    "no, nope, no wait, wait no, sorry, actually, i mean, i meant, rather, make it, make that, change it to, better, and, what about, how about",
  ),
  conjunctions: split("and then, then, and also, and"),
  functionWords: split(
    "a, an, the, this, that, these, those, of, to, for, in, on, at, by, with, from, into, onto, as, and, " +
      "i, me, my, mine, we, us, our, ours, you, your, yours, it, its, he, him, his, she, her, they, them, their, " +
      "be, being, there, here, " +
      "please, pls, plz, kindly, thanks, thank you, hi, hello, hey, good morning, good afternoon, good evening, good day, ok, okay, right now, now, immediately, at once, " +
      "can you, could you, would you, will you, can i, could i, can we, could we, may i, " +
      "can you please, could you please, would you please, would you mind, " +
      "i want, i want to, i would like, i would like to, i'd like, i'd like to, i need, i need to, " +
      "let me, let us, let's, there's, any, some, anything, something, i'd love, i'd love to, i am, so that i can, so i can, for me, on my phone, on this phone, on my device, on this device, excuse me, sorry, well, so, be so kind as to, would you be so kind as to, be so kind, as to",
  ),
  operators: {
    negation: split(
      "no, not, never, none, neither, nor, without, except, excluding, instead, rather than, but, cannot, can't, " +
        "don't, dont, doesn't, didn't, isn't, aren't, wasn't, weren't, won't, wouldn't, shouldn't, couldn't, " +
        "haven't, hasn't, hadn't, mustn't, needn't, nothing, nobody, nowhere, hardly, barely",
    ),
    condition: split(
      "if, unless, when, whenever, while, until, till, once, after, before, as soon as, as long as, in case, " +
        "provided, providing, otherwise, whatever, depending on, because, since, although, though, so that, or, either",
    ),
    time: split(
      "today, tonight, tomorrow, yesterday, later, soon, earlier, ago, already, yet, still, again, anymore, " +
        "daily, weekly, monthly, hourly, yearly, every, every day, always, sometimes, often, usually, rarely, " +
        "recently, lately, last, next, during, within, throughout",
    ),
    quantity: split(
      "all, both, each, only, just, more, less, most, least, than, at least, at most, up to, over, " +
        "under, above, below, between, about, around, almost, half, double, twice, first, few, fewer, many, much, " +
        "several, enough, too, very, other, another, same, else, per, together, exactly, <, >, <=, >=, =, ==, !=, ≤, ≥, ≠",
    ),
    modality: split(
      "should, could, would, might, may, must, can, will, shall, ought, maybe, perhaps, possibly, supposed, " +
        "wish, hope, hypothetically, probably, apparently",
    ),
    past: split(
      "was, were, been, had, did, done, used to, went, gone, got, said, told, thought, saw, seen, took, taken, " +
        "gave, given, made, sent, left, lost, found, bought, sold, wrote, written, came, ran, kept, put, set off",
    ),
    question: split(
      "what, which, who, whom, whose, where, why, how, how many, how much, how often, how long, whether, " +
        "what's, who's, where's, how's, is, are, am, do, does, doing, has, have, having, i'm, it's, that's, i've, " +
        "you're, we're, they're, when's, is there, are there, do i have, have i got, when is, when are, when do, when does, when did",
    ),
    change: split(
      "add, append, archive, assign, attach, ban, block, book, buy, cancel, change, charge, clean, clear, close, " +
        "commit, confirm, connect, convert, copy, create, cut, deactivate, delete, deliver, deploy, disable, discard, " +
        "disconnect, dismiss, donate, download, drop, edit, email, empty, enable, encrypt, erase, exchange, fill, " +
        "fix, format, forward, grant, hide, import, increase, insert, install, invite, join, kill, launch, lock, " +
        "mail, merge, modify, move, mute, order, overwrite, paste, pay, post, print, publish, purge, reboot, " +
        "record, refund, register, reject, release, remove, rename, replace, reply, reschedule, reset, restart, restore, " +
        "revoke, save, schedule, send, set, share, shut down, sign, spend, start, stop, submit, subscribe, swap, " +
        "switch, sync, terminate, throw away, toggle, transfer, trash, trigger, turn, uninstall, unlock, unsubscribe, update, " +
        "upgrade, upload, wipe, withdraw, write",
    ),
    look: split(
      "find, find me, search, search for, look, look at, look for, look up, looking for, locate, see, show, show me, list, view, display, " +
        "get, get me, fetch, read, check, tell, tell me, give me, bring me, pull up, bring up, dig up, hunt down, know, " +
        "let me know, do you know, want, want to know, need, need to know, wonder, wondering, figure out, find out, " +
        "retrieve, lookup, query, come up with",
    ),
  },
  doubts: split(
    "not sure, not certain, not clear, not convinced, not only, or not, don't know, do not know, dont know, no idea, no clue, " +
      "don't trust, do not trust, not without, can't do without, cannot do without, couldn't do without, don't leave me hanging, not … right, nobody, no one, don't have, do not have, dont have, don't see, didn't see, why not, what i know, i skip, is … not, are … not, is not, are not, was not, am not, isn't, aren't, wasn't, weren't, won't, wouldn't, doesn't, didn't, " +
      "does not, did not, hasn't, haven't, can't, cannot, can not, couldn't, but, " +
      "it's not, its not, that's not, thats not, they're not, theyre not, " +
      "isnt, arent, doesnt, didnt, wont, cant",
  ),
  idioms: split(
    "safe travels, safe travel, safe trip, safe flight, safe journey, safe drive, drive safe, drive safely, travel safely, stay safe, keep safe, keep me safe, keeping me safe, keep us safe, the safest way, the safest place, secure me, " +
      "safe to say, safe to assume, safe to bet, on the safe side, safe than sorry, play it safe, playing it safe, a safe bet, " +
      "trust anything, trust anyone, trust anybody, trust nobody, trust no one, trust me, trust you, trust your, trust my, trust us, at the risk of, at any price, at all costs, at all cost, at any cost, " +
      "i'm afraid i, i'm afraid i'm, i'm afraid i've, i'm afraid that, i'm afraid the, i'm afraid we, i'm afraid not, i'm afraid so, i'm afraid my, i'm afraid there, " +
      "im afraid i, im afraid that, im afraid the, i am afraid i, i am afraid that, i am afraid the, " +
      "a steal, if i sell, if i sold, before i sell, when i sell, where can i sell, where do i sell, where to sell, should i sell, add liquidity, added liquidity, adds liquidity, remove liquidity, removed liquidity, removes liquidity, worth the risk, worth the hassle, worth buying, worth looking, worth checking, worth keeping, got rugged, got scammed, was scammed, been scammed, worth it, worth a try, worth a look, worth a shot, worth my time, worth my while, worth your time, worth your while, worth the time, worth the wait, worth the effort, worth mentioning, for what it's worth, for what it is worth, " +
      "legit just, legit want, legit need, legit only, legit cannot, legit can't, legit forgot, " +
      "my taxes, tax return, tax report, tax season, tax office, tax advisor, tax purposes, tax declaration, income tax, " +
      "hot take, hot minute, hot topic, hot mess, popular opinion, you're a gem, you are a gem, let's move on, lets move on, " +
      "token of appreciation, token of gratitude, token of thanks, by the same token, api token, access token, " +
      "flip a coin, flipped a coin, coin flip, coin toss, coin a phrase, under the rug, tourist trap, speed trap, no worries, not to worry, " +
      "leave … out, leave … aside, keep … out, leave … for another, i wanted … but now, quote me, quote unquote, air quotes, pair of eyes, pair of hands, secure connection",
  ),
  dismissals: split(
    "isn't important, is not important, isnt important, aren't important, are not important, isn't necessary, is not necessary, isnt necessary, not needed, " +
      "has been confirmed, have been confirmed, was confirmed, been checked, was checked, been verified, been audited, been tested, been cleared, been screened, is not required, are not required, aren't required, isn't needed, isnt needed, aren't needed, arent needed, isn't required, doesn't matter, does not matter, doesnt matter, don't matter, do not matter, dont matter, " +
      "doesn't interest, does not interest, don't interest, unimportant, irrelevant, out of scope, not in scope, off the table, not relevant, not of interest, of no interest, not a concern, of no concern, no concern of mine, beside the point, unneeded, unnecessary, superfluous, redundant, " +
      "already know, already knew, already have, already got, already checked, already did, already ran, already seen, already saw, already looked, already tested, already verified, " +
      "i know … already, we know … already, i have … already, i've … already, we have … already, we've … already, i checked … already, i got … already, got … already, checked … already, i did … already, i ran … already, i saw … already, checked … myself, did … myself, i look … myself, i do … myself, i check … myself, i'll … myself, i will … myself, i can … myself, i handle … myself, " +
      "can be skipped, can be left out, can wait, is optional, are optional, is done, are done, been done, is handled, are handled, handled by, covered, taken care of, be damned, aside, for another day, another time, " +
      "do … later, check … later, look at … later, do … tomorrow, check … tomorrow",
  ),
  omissions: split(
    "leave out, leaving out, leave aside, leaving aside, leave off, leave the, spare me, leave it, leave that, leave those, leave these, leave them, omit, omitting, disregard, exclude, excluding, minus, apart from, aside from, other than, not interested in, not about, isn't about, not asking, who cares, regardless of, no matter, whatever the, good on, scrap, " +
      "not today, not now, not this time, i have it, i've got it, i have that, i've got that, skip, skipping, avoid, avoiding, " +
      "forget, forget about, forget it, forget that, never mind, nevermind, nvm, scratch, drop the, ignore, ignoring, " +
      "no need, don't need, do not need, dont need, didn't need, won't need, not need, no longer need, needn't, don't want, do not want, dont want, no longer want, " +
      "don't bother, do not bother, dont bother, don't care, do not care, dont care, no interest in, no point in, save yourself, " +
      "was going to ask, was gonna ask, was about to ask, was going to check, was gonna check, were going to ask, were gonna ask, thought about asking, " +
      "actually no, actually don't, strike that, no thanks, no thank you, nah, nope, on second thought, on second thoughts, changed my mind, " +
      "did that already, done that already, already did that, already done that, already did it, already have that, already have it, have that already, have it already, got that already",
  ),
  known: split(
    "i know, we know, i checked, i've checked, i have checked, we checked, we've checked, i looked up, i've looked up, looked up myself, i tested, i've tested, i verified, i've verified, i read that, i've read that, as you know, aware, i trust, we trust, i can see, i can check, i'll check, i will check, " +
      "i've got the, i have the, we have the, we've got the, i got the, got the … from, you gave me, you told me, you showed me, already gave me, already told me, already gave, already told, you can keep",
  ),
  claims: split("it's, it is, it's a, its a, they're, they are, theyre"),
  subjects: split(
    "i, we, he, she, they, my, someone, somebody, everyone, everybody, people, folks, friends, it",
  ),
  pleas: split("wanted, needed, wondered, hoped, asked, tried, liked, meant, planned"),
  confirmations: split(
    "is that true, is this true, is it true, is that right, is that correct, is that so, rightly so, still so, still true, still the case, still valid, still right, they were right, he was right, she was right, were they right, was he right, was she right, is he right, is she right, are they right, is he wrong, is she wrong, are they wrong, true or, right or wrong, verify, confirm, double check, double-check, have evidence, any evidence, any proof, have proof, can you prove, do you agree, what do i tell, what should i tell, what do you think, thoughts, can you check, check that, check it, check this",
  ),
  reports: split(
    "keep asking, keeps asking, asked me, asking me, asks me, says, said, saying, say that, they say, people say, i heard, heard that, heard it's, claims, claimed, considers, flags, flagged, suspects, argues, warned, warns, swears, reckons, thinks, insists, believes, calls it, called it, told me, tells me, telling me, according to, supposedly, allegedly",
  ),
  exclamations: split("no, nope, nah"),
  echoes: split("nor"),
  corrections: split(
    "actually just, actually only, now just, now only, now i just, now i only, on second thought just, on second thought only",
  ),
  filters: split(
    "no, without, skip, skipping, avoid, avoiding, exclude, excluding, except, leave out, leaving out, leave the, ignore, ignoring, disregard",
  ),
  anaphors: split(
    "redo, repeat, rerun, recheck, part, bit, one, last, thing, stuff, rest, question, request",
  ),
  naming: split("called, named"),
  resumes: split("but, just, only, instead"),
  requests: split("give me, show me, tell me, get me, find me, bring me, let me know, send me"),
  stressed: split("a, an, it, they, these, so, very, really"),
  links: split("and, or, vs, versus"),
  comparisons: split("compare, compares, compared, comparing, comparison, difference"),
  sides: split("with, to, against"),
  decimals: ["."],
  ordinals: split("st, nd, rd, th"),
  codeNouns: split("number, num, nr, id, code, reference, ref"),
  pastEndings: ["ed"],
  notPast: split(
    "need, feed, speed, seed, weed, bed, red, bleed, breed, deed, greed, exceed, proceed, succeed, hundred, sacred, " +
      "kindred, shed, sped, embed, indeed, infrared, united",
  ),
}
