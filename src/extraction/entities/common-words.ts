// Words that name nothing by themselves, however they are written: `Write`, "Enter", **Cause**, `data`. A capital letter, or code marks,
// do not make an entity of them. Everyday words and those of everyday work with software, in their plain form.

const WORDS = `
a able about above accept access accord account accurate across act action active actual actually ad adapt add addition additional address
adjust admin advance advice affect after afterwards again against age agent agree ahead aim alert alias align all allow almost alone along
already also alter alternative although always amount an analyse analysis analyze and annotate another answer any anybody anyone anything
anyway api app appear append apply approach appropriate approve april arc architecture archive are area arg argument around array art
article as aside ask aspect assert asset assign assume at atomic attach attack attempt attribute audit auth authentic author authorize auto
automatic available average avoid await awake aware away
back background backup bad badge bar base basic batch be bear because become been before begin behave behind being believe below bench
beneath benefit beside best better between beyond big bill bin binary bit black blame blank blind block blog blue board body bold book
bool boolean boot border both bottom bound boundary box branch break breadcrumb brief bright bring broad broken browse browser brush bucket
budget buffer bug build bulk bullet bundle burn business busy but button buy by byte
cache calculate calendar call callback came can cancel candidate cannot capability capture card care careful cargo carry case cast catch
category cause cell center central centre certain certificate chain challenge chance change channel chapter char character charge chart
chat cheap check checkbox checklist checkout checkpoint child children choice choose chunk circle claim clarify class classic classify
clean cleanup clear clever click client clip clock clone close cloud cluster code cold collapse collect color colour column combine come
command comment commit common community company compare compile complete complex component compose compress compute computer concept
concern conclude concrete concurrent condition config configure confirm conflict confuse connect connector consequence consider consist
console constant constrain consume contact contain container content context continue contract contrast contribute control convention
convert cookie cool copy core corner correct cost could count counter country couple course cover coverage crash create creator credential
criteria criterion critical cross crypto current cursor custom customer cut cycle
daemon daily dark dash dashboard data database date day dead deal death debug december decide decimal decision declare decline decode
decrease decrypt dedicate deep default defer define definite degree delay delegate delete deliver demand demo deny depend deploy deposit
deprecate depth derive describe design desire desktop destroy detail detect determine dev develop device dialog dict did die diff differ
difference different difficult digest digit direct directory dirty disable disc disconnect discover discuss disk dismiss dispatch display
distance distinct distribute dive divide do doc docs document documentation does dog domain done door dot double doubt down download draft drag
draw drawer drive driver drop dry due dump duplicate duration during dynamic
each eager early earn ease easy echo edge edit editor effect efficient effort either elapse element eleven else email embed emit emoji
emphasis empty enable encode encounter encrypt end endpoint enforce engine english enough ensure enter enterprise entire entity entry enum
environment equal erase error escape especially essential estimate etc evaluate even evening event eventual ever every everybody everyone
everything everywhere evidence exact examine example exceed except exchange exclude execute executive executor exist exit expand expect
expense expensive experience experiment expert expire explain explicit explore export expose express extend extension extensive extent
external extra extract extreme eye
face fact factor fail failure fair fall false familiar far fast fatal fault favor favour feature february feed feedback feel fetch few
field fifth fifty figure file filename fill filter final finally find finding fine finish fire firm first fit five fix flag flash flat flexible
flip float flow flush focus fold folder follow font foot footer for forbid force forecast foreground foreign forget fork form formal format
formatter former forth fortunate forty forward found foundation four fourth frame framework free freeze frequent fresh friday friend from
front frontend backend full fully fun function fund further future
gain game gap garbage gate gateway gather gave general generate generic get give given glad global go goal gold good got grab grace grade
gradient gradual grant graph gray great green grey grid ground group grow guarantee guard guess guest guide guideline
hack had half halt hand handle handler hang happen happy hard hardware has hash have he head header heading heads headline health hear
heart heavy height held hello help helper hence her here hidden hide hierarchy high highlight hint history hit hold home hook hope horizontal
host hot hour hours house hover how however huge human hundred hurry hybrid
icon id idea ideal identical identify identity idle if ignore image imagine immediate impact imperative implement implementation imply
import importance important importantly improve in inactive include income incoming incomplete incorrect increase increment indeed
independent index indicate individual infer inferior info inform information infrastructure inherit init initial initialize inject inline
inner input insert inside insight inspect inspector install installation instance instant instead instruct instruction insufficient
integer integrate intend intent interact interest interface interim interior intermediate internal interpret interrupt interval into
introduce invalid invent inventory investigate invite invoke involve is isolate issue it item iterate its itself
january job join journal judge july jump june junior just justify
keen keep kernel key keyboard keyword kick kill kind know knowledge known
label lack land language large last late later latest latter launch law lay layer layout lazy lead leaf league leak learn least leave left
legacy legal legend less lesson let letter level lib library license lie life lifecycle lift light like likely limit line linear link lint
linter list listen listener literal little live load loader local locale locate location lock log logger logic logical login logo logout
long look lookup loop loose lose loss lost lot love low lower luck
machine macro made magic mail main maintain major make male man manage manager mandatory manifest manual many map mapper march mark marker
market mask master match material math matrix matter max maximum may maybe me mean measure mechanism media medium meet member memo memory
mention menu merge mess message meta metadata method metric mid middle middleware might migrate migration mile milestone million min mind
mine mini minimal minimum minor minus minute mirror miss missing mix mobile mock modal mode model moderate modern modify module moment monday
monitor month more morning most mostly mount mouse move much multi multiple must mutation mute mutual my myself
name namespace narrow native natural nature navigate near nearly neat necessary need negative neither nest net network never new newer
newest news next nice night nine no nobody node noise none nor normal not notable note notebook nothing notice notification notify november
now null number numeric
object objective observe obtain obvious occasion occur october of off offer office official offline offset often ok okay old older omit on
once one online only onto open opener operate operation operator opinion opportunity option optional or orange order ordinary organize
organization origin original other otherwise our out outcome outer outline output outside over overall overflow overlay override overview
overwrite own owner
pack package packet pad page paint pair pane panel paper paragraph parallel parameter params parent parse parser part partial particular
partner party pass passphrase password past paste patch path pattern pause pay payload peer pen pencil pending people per percent perfect
perform perhaps period permanent permission permit persist person personal perspective phase phone phrase physical pick picker picture
piece pin ping pipe pipeline place placeholder plain plan plane plant platform play please plenty plugin plus point pointer policy poll
pool poor pop popular popup port portal position positive possible post postpone potential power practical practice pre precise predict
prefer preference prefix premise premium prepare presence present preserve press pressure pretty prevent preview previous price primary
primitive principle print printer prior priority privacy private privilege pro probable problem procedure proceed process processor produce
producer product production profession profile profit program progress prohibit project promise promote prompt proof proper property
propose protect protocol prototype prove provide provider provision proxy public publish pull pulse punch purchase pure purple purpose push put
quality quantity query question queue quick quiet quit quite quota quote
race radio raise random range rank rapid rare rate rather ratio raw reach react reaction read reader ready real realistic reality realize
really reason rebase rebuild recall receive recent recipe recipient recommend reconcile record recover recursion recursive red redirect
redo reduce refactor refer reference refine reflect refresh refuse regard region register registry regression regular reject relate
relation relative release relevant reliable rely remain remark remedy remember remind remote remove rename render renderer
repair repeat replace replay reply repo report repository represent reproduce request require requirement rerun research reserve reset
reside resist resize resolve resource respect respond response responsible rest restart restore restrict result resume retain retire
retrieve retry return reuse reveal reverse revert review reviewer revise revoke rewrite rich right ring rise risk road roadmap robust role
roll rollback root rotate rough round route router row rule run runner runtime rush
safe safety sample sandbox satisfy saturday save saw say scale scan scenario scene schedule schema scheme school scope score scratch screen
screenshot script scroll seal search season seat second secret section sector secure security see seed seek seem segment select selector self sell
semantic send senior sense sensible sensitive sentence separate september sequence sequential serial series serious serve server service
session set setter setting settle setup seven several severe severity shadow shall shallow shape share sharp she sheet shell shift shim ship
short shortcut should show shut side sidebar sight sign signal signature signer significant silent silver similar simple simplify simply
simulate simultaneous since single site situation six size sketch skill skip sleep slice slide slider slight slot slow small smart smoke
smooth snapshot snippet so social soft software solid solution solve some somebody someone something sometimes soon sorry sort sound source
space span spare spawn speak speaker spec special specific specification specify speech speed spell spend spin spinner split spot spread
spring sprint square stable stack staff stage staging stale stand standalone standard star start starter state statement static stats status stay
steady steal step stick sticky still stop storage store story straight strange strategy stream street strength stress strict strike string
strip stroke strong structure stub study stuff style sub subject submit subscribe subscriber subset substance success successful such
sudden suffer suffix suggest suggestion suit suite sum summarize summary sun sunday super supply support suppose sure surface surprise
surround suspect suspend swap sweep switch symbol sync syntax system
tab table tag tail take talk target task teach team tech technical technique technology tell temp template temporary ten tend term terminal
terminate test tester testing text than thank that the their them theme themselves then theory there therefore these they thick thin thing
think third thirty this thorough those though thought thousand thread threat three threshold through throughout throw thursday thus tick
ticket tie tight tile till time timeline timeout timer timestamp tiny tip title to today todo together toggle token tomorrow ton too took tool toolbar tooltip
top topic total touch tour toward trace track tracker trade tradeoff tradition traffic train transaction transfer transform transient
transition translate transparent transport trap travel tree trend trial trick trigger trim trip trivial trouble true truncate trust truth try
tuesday tune tunnel tuple turn tutorial twelve twenty twice twist two type typical typo
ui ultimate unable unclear under underlie underlying underneath understand undo undefined unexpected unfortunate unify union unique unit
universal unknown unless unlike unlikely unlock unrecognized unrelated unsupported until unused unusual up upcoming update upgrade upload upon upper
upstream url urgent us usage use useful user usual utility
valid validate validation validator value variable variant variation various vary vault vector vendor verdict verify verification version
versus vertical very via vice video view viewer viewport violate virtual visible vision visit visual voice volume vote vs vulnerable
vulnerability
wait wake walk wall wallet want warm warn warning warrant was wash waste watch watcher water way we weak web website wednesday week weekend weekly
weight welcome well went were west what whatever when whenever where whereas wherever whether which while white who whoever whole whom whose
why wide widget width wiki wild will window wipe wire wish with within without wonder word work worker workflow workspace world worry worse
worst worth would wrap wrapper write writer written wrong
year yellow yes yesterday yet you young your yourself zero zone zoom
`;

const ENDINGS = /(?:ies|es|s|ied|ed|d|ing|er|ers|r|ly|ally|tion|tions|ation|ations|ion|ions|or|ors|able|ment|ments)$/;

let table: ReadonlySet<string> | undefined;

/** In lower case. `writes`, `writing` and `written` are as common as `write`. */
export function isCommonWord(word: string): boolean {
  table ??= new Set(WORDS.replaceAll('\n', ' ').split(' '));
  if (table.has(word)) return true;
  const ending = ENDINGS.exec(word);
  if (!ending || ending.index < 2) return false;
  const stem = word.slice(0, ending.index);
  const shorter = stem.at(-1) === stem.at(-2) ? stem.slice(0, -1) : stem;
  return [stem, `${stem}e`, `${stem}y`, shorter, `${stem}te`].some((form) => table?.has(form) === true);
}
