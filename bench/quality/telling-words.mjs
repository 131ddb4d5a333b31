// How much a prompt asks for: the words that tell what it is about, without those of every sentence and those of every coding prompt.
// A yardstick beside the project's own rules, so it shares no list with them. English, as the data is.

const OF_EVERY_SENTENCE = `a about above after again all almost already also although always am an and another any anything are aren't around as at
away back be because been before being below between both but by can can't cannot could couldn't did didn't do does doesn't doing don't done down each
either else even ever every everything few first for from further get gets getting give go goes going gone got had has hasn't have haven't having he her
here him his how however i i'd i'll i'm i've if in instead into is isn't it it's its itself just keep kind know last least less let let's lets like
little look looks lot made make makes many may maybe me mean might more most much must my need needs never no nor not nothing now of off oh on once one
only or other our out over own part per please put quite rather really right same say see seem seems she should shouldn't since so some something soon
still such sure take than thank thanks that that's the their them then there there's these they they're thing things think this those though through to
too two under until up us use used using very via want wants was wasn't way we we'd we'll we're we've well were weren't what what's when where whether
which while who whole why will with within without won't would wouldn't yet you you'd you'll you're your yours`;

const OF_EVERY_PROMPT = `add added adjust agent ahead alright apply approve approved ask branch branches bug bugs build change changes check claude clean
clear code coderabbit comment comments commit commits complete completed continue correct create current currently cool delete deploy description diff
double edit ensure error errors excellent exactly execute fail failed failing fails file files find fine finish finished fix fixed fixes following fully
git github good great happen hey hi hold implement implemented issue issues job latest line lines looking main make manually master merge merged message
minor move nah new next nice nope ok okay one open opened option page perfect phase pick plan plans post pr problem proceed project prs pull push
pushed question quick read ready remaining remove rename repo request restart resume retry review reviews run running save script seeing send set ship
show skip start started status step steps stop stuff task tasks tell test tested testing tests time todo todos tool tried try trying update updated
verify version wait work working works write wrong yea yeah yep yes yup`;

const ORDINARY = new Set(`${OF_EVERY_SENTENCE} ${OF_EVERY_PROMPT}`.split(/\s+/));
const URL = /\bhttps?:\/\/\S+/g;
const WORD = /#\d+|[\p{L}\p{N}][\p{L}\p{N}_.'’-]*/gu;

/** The different ones, in lower case. */
export function tellingWords(prompt) {
  const words = prompt.replace(URL, ' ').toLowerCase().replaceAll('’', "'").match(WORD) ?? [];
  return [...new Set(words.map((word) => word.replace(/[.'-]+$/, '').replace(/'s$/, '')).filter(isTelling))];
}

const isTelling = (word) => word.length > 1 && !/^\d+(?:st|nd|rd|th)?$/.test(word) && !ORDINARY.has(word);
