// Everyday words of English: in a store of coding talk they are rare, and yet they say little about what is asked. By how common words are
// in the store alone, "though" and "right" would tell more than the name of the thing.

/** As people write them. */
export const PLAIN_EVERYDAY =
  'able actually again ago agree almost alone along already alright although altogether always amount another anybody anyhow anymore anyone ' +
  'anything anyway anywhere apart apparently around aside away back bad basically became become becomes began begin behind believe belong ' +
  'beside besides best better beyond big bit bother bring brings brought bunch came care case cause caused causes certain certainly chance ' +
  'clearly close come comes coming common completely concern consider couple course day days deal dealt decide definitely despite different ' +
  'differently doubt early easily easy either else end ended ends enough entire entirely especially even eventually everybody everybodys ' +
  'everyone everything everywhere exactly except expect expected extra fact fairly far fast feel felt finally fine first five forever ' +
  'forget forgot former forward four fully further gave generally getting given gives giving go goes going gone good great guess guy guys ' +
  'half happen happened happens happy hard hardly heard hello help helped helps hence hey high hope hour hours however hows huge hundred ' +
  'idea ideas imagine important indeed inside instead intend interesting involved keep keeps kept kind kinda knew known knows land landed ' +
  'large last lately later latter lead least leave leaves led left less lets liked likely likes little long longer look looked looking ' +
  'looks lose lost lot lots low luck made mainly make makes making manage managed matter matters maybe mean meaning means meant meanwhile ' +
  'mention mentioned middle mind minute minutes moment month months morning mostly move moved moving namely near nearly necessarily need ' +
  'needed needs neither never nevertheless next nice nobody none nope normally nothing noticed now nowhere obvious obviously occasionally ' +
  'odd often oh ok okay old one ones onto opposite ordinary originally otherwise outside overall part particular particularly parts past ' +
  'people perfect perhaps pick picked place places plain please plenty plus point pointed points possible possibly pretty previous ' +
  'previously probably proper properly purpose put puts putting quick quickly quite ran rarely rather reach reached real really reason ' +
  'reasons recently regard related remain remained remaining require respectively rest right roughly sadly sake sat saw saying says seem ' +
  'seemed seems seen seldom sense sent serious seriously seven several shame short shortly showed shown shows side similar similarly simple ' +
  'simply single sit six slightly slow slowly small somebody somebodys somehow someone something sometime sometimes somewhat somewhere soon ' +
  'sorry sort sound sounds speak spend spent stand start started starts stay stayed stays stick stood strange stuck stuff suddenly suggest ' +
  'supposed sure surely surprise take taken takes taking talk talked talking ten thank thanks thats themselves therefore theres thing ' +
  'things think thinks third though thought thoughts thousand three throughout thus till time times tiny today together told took toward ' +
  'towards tried tries trouble true truly try trying turn turned turns twice two typical typically unfortunately unless unlike unlikely ' +
  'upon useful usual usually various via wait waited want wanted wants way ways week weeks well went whatever whats whenever wheres ' +
  'wherever whether whichever whole whos wish within without wonder wondering word words work worked working works worry worse worst worth ' +
  'worthwhile write wrong wrote yeah year years yep yes yesterday yet';

/** The same as the index has them (a test compares), without what questions leave out anyway. */
const EVERYDAY =
  'abl actual ago agre almost alon along alreadi alright although altogeth alwai amount anoth anybodi anyhow anymor anyon anyth anywai ' +
  'anywher apart appar around asid awai back bad basic becam becom began begin behind believ belong besid best better beyond big bit bother ' +
  'bring brought bunch came care case caus certain certainli chanc clearli close come common complet concern consid coupl cours dai deal ' +
  'dealt decid definit despit differ doubt earli easi easili either els end enough entir especi even eventu everybodi everyon everyth ' +
  'everywher exactli except expect extra fact fairli far fast feel felt final fine first five forev forget forgot former forward four fulli ' +
  'further gave gener given go goe gone good great guess gui half happen happi hard hardli heard hei hello help henc high hope hour howev ' +
  'huge hundr idea imagin import inde insid instead intend interest involv keep kept kind kinda knew known land larg last late later latter ' +
  'lead least leav led left less like littl long longer look lose lost lot low luck made mainli make manag matter mayb mean meant meanwhil ' +
  'mention middl mind minut moment month morn mostli move name near nearli necessarili need neither never nevertheless next nice nobodi ' +
  'none nope normal noth notic now nowher obviou obvious occasion odd often oh ok okai old opposit ordinari origin otherwis outsid overal ' +
  'part particular particularli past peopl perfect perhap pick place plain plenti plu point possibl pretti previou previous probabl proper ' +
  'properli purpos put quick quickli quit ran rare rather reach real realli reason recent regard relat remain requir respect rest right ' +
  'roughli sadli sake sat saw seem seen seldom sens sent seriou serious seven sever shame short shortli shown side similar similarli simpl ' +
  'simpli singl sit six slightli slow slowli small somebodi somehow someon someth sometim somewhat somewher soon sorri sort sound speak ' +
  'spend spent stai stand start stick stood strang stuck stuff suddenli suggest suppos sure surpris take taken talk ten thank themselv ' +
  'therefor thing think third though thought thousand three throughout thu till time tini todai togeth told took toward tri troubl true ' +
  'truli try turn twice two typic unfortun unless unlik upon usual variou via wai wait want week well went whatev whenev wherev whether ' +
  'whichev whole wish within without wonder word work worri wors worst worth worthwhil write wrong wrote ye yeah year yep yesterdai yet';
let everyday: ReadonlySet<string> | undefined;

/** `word` as the index has it. */
export function isEveryday(word: string): boolean {
  everyday ??= new Set(EVERYDAY.split(' '));
  return everyday.has(word);
}
