// One table: for each language, what its comments and literals look like, and the line patterns of its definitions and
// imports. Indentation says what belongs to what (read-lines.ts). Every pattern is anchored and every repetition that
// may fail late is bounded, so that no text can make them slow.

import type { Hidden } from './source.ts';

/** A pattern that is tried where a line begins. Its groups: `lead` (where the signature begins), `name`, `owner`. */
export type Row = {
  readonly pattern: RegExp;
  /** The signature goes on until one of these, outside brackets (`>` is `=>`); without it, the match is all of it. */
  readonly until?: string;
  /** Where it counts; `any` for what holds others. */
  readonly place?: 'top' | 'member' | 'block' | 'any';
  /** The lines further in are its members, or count as the top does, or are items of a block. */
  readonly holds?: 'members' | 'top' | 'block';
  /** Only holds, and is no definition of its own. */
  readonly isSilent?: boolean;
  /** All members are public. */
  readonly isOpen?: boolean;
  /** Whatever else is said. */
  readonly isExported?: boolean;
  /** The file's own business, unless something exports it. */
  readonly isValue?: boolean;
  /** The first members are private, as in a class of C++. */
  readonly isClosed?: boolean;
  /** Only in texts that match. */
  readonly when?: RegExp;
};

export type LinePatterns = {
  readonly hidden: readonly Hidden[];
  readonly rows: readonly Row[];
  /** Tried if the others found nothing. */
  readonly otherwise?: readonly Row[];
  /**
   * The group `spec` has one import or several, `base` what stands before each; `prefix` is for those without a dot. C
   * keeps its quotes: they say where it looks.
   */
  readonly imports: readonly { readonly pattern: RegExp; readonly prefix?: string; readonly hasQuotes?: boolean }[];
  readonly isExported: (lead: string, name: string) => boolean;
  readonly isShownMember: (lead: string, name: string, owner: string) => boolean;
  /** Names that are exported elsewhere in the file: the group `name`, or the list that follows. */
  readonly lists?: readonly RegExp[];
  /** Nothing but what is in the list is exported. */
  readonly isWholeList?: boolean;
  /** A line that says how far the members below it are seen. */
  readonly access?: RegExp;
  /** Lines that stand at the margin wherever they are. */
  readonly margin?: RegExp;
  /** Left off the signature. */
  readonly unsaid?: RegExp;
  /** Code that may stand above the first comment. */
  readonly preamble: RegExp;
  readonly documentation: 'above' | 'string';
  /** Without a comment at the top, the first sentence may stand there as it is. */
  readonly mayBeProse?: boolean;
  /** Definitions of one name are told apart by their signatures. */
  readonly hasOverloads?: boolean;
};

const comment = (open: string, close = '\n'): Hidden => ({ open, close, isComment: true });
const quoted = (open: string, close = open): Hidden => ({ open, close });
const long = (open: string, close = open): Hidden => ({ open, close, isLong: true });
const raw = (open: string, close: string): Hidden => ({ open, close, isLong: true, isRaw: true });
const whole = (open: string): Hidden => ({ open, close: '' });

const SLASHES = [comment('//'), comment('/\\*', '*/')];
const QUOTES = [quoted('"'), quoted("'")];
const COMMON = {
  isExported: () => true,
  isShownMember: () => true,
  preamble: /^(?:\u0001|;)+$|^<\?php/,
  documentation: 'above',
} as const;

/** A slash begins a regular expression where no value stands before it. */
const REGEX =
  '(?<=^|[(,=:[!&|?{};\\n]\\s{0,3}|=> ?|\\b(?:return|case|typeof|of|in) )/(?![*/])(?:[^\\\\/[\\n]|\\\\.|\\[(?:[^\\]\\\\\\n]|\\\\.){0,99}\\]){1,199}/';

const ecmaScript = (): LinePatterns => ({
  ...COMMON,
  hidden: [comment('^#!'), ...SLASHES, whole(REGEX), ...QUOTES, long('`')],
  rows: [
    {
      pattern:
        /(?<lead>(?:export\s+)?)(?:const|let|var)\s+(?<name>[\p{L}\p{N}_$]+)(?=(?:\s*:[^=\n]{0,200})?\s*=\s*(?:async\b\s*)?(?:function\b|<|\((?:[^\n]{0,300}=>|[^()\n]{0,200}\n)|[\p{L}\p{N}_$]+\s*=>))/dmuy,
      until: '>{;',
    },
    {
      pattern:
        /(?<lead>(?:export\s+)?(?:declare\s+)?)(?:const|let|var)\s+(?!enum\b)(?:[{[]\s*)?(?<name>[\p{L}\p{N}_$]+)/dmuy,
      until: '=;\n',
      isValue: true,
    },
    {
      pattern:
        /(?<lead>(?:export\s+)?(?:default\s+)?(?:declare\s+)?)(?:async\s+)?function\b\s*\*?\s*(?<name>[\p{L}\p{N}_$]+)?/dmuy,
      until: '{;',
    },
    {
      pattern:
        /(?:@[\w.]+(?:\([^()\n]{0,200}\))?\s+){0,5}(?<lead>(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?)class\b\s*(?<name>(?!(?:extends|implements)\b)[\p{L}\p{N}_$]+)?/dmuy,
      until: '{',
      holds: 'members',
    },
    {
      pattern:
        /(?<lead>(?:export\s+)?(?:default\s+)?(?:declare\s+)?)(?:interface|enum|const\s+enum)\s+(?<name>[\p{L}\p{N}_$]+)(?=\s*(?:[{<]|extends\b))/dmuy,
      until: '{',
    },
    {
      pattern: /(?<lead>(?:export\s+)?(?:declare\s+)?)type\s+(?<name>[\p{L}\p{N}_$]+)(?=\s*[=<])/dmuy,
      until: '=',
    },
    {
      pattern: /(?:export\s+)?(?:declare\s+)?(?:(?:namespace|module)\s+(?<name>[\w.$]+|\u0001+)|global)\s*(?=\{)/dmuy,
      holds: 'top',
      isSilent: true,
    },
    {
      pattern:
        /(?<lead>(?:module\.)?exports\.)(?<name>[\p{L}\p{N}_$]+)\s*=\s*(?=(?:async\s+)?(?:function\b|\(|[\p{L}\p{N}_$]+\s*=>))/dmuy,
      until: '>{;',
      isExported: true,
    },
    { pattern: /(?<lead>(?:module\.)?exports\.)(?<name>[\p{L}\p{N}_$]+)\s*=(?!=)/dmuy, isExported: true },
    { pattern: /(?<lead>export\s+)(?<name>\*[^;\n]{0,200})/dmuy },
    {
      pattern: /(?<lead>export\s+)default\b(?!\s+(?:new\s+)?[\p{L}_$][\p{L}\p{N}_$]*\s*;?$)[^;({[\n]{0,80}/dmuy,
    },
    {
      pattern:
        /(?:@[\w.]+(?:\([^()\n]{0,200}\))?\s+){0,5}(?<lead>(?:(?:public|static|async|override|abstract|get|set)\s+){0,5})\*?\s*(?<name>(?!(?:constructor|if|for|while|switch|catch|return|super|function)\b)[\p{L}$][\p{L}\p{N}_$]*)(?=\s*[(<])/dmuy,
      until: '{;',
      place: 'member',
    },
  ],
  imports: [
    {
      pattern:
        /^[ \t]*(?:import|export)\b[\w$*, \t\u0080-\uffff]{0,300}(?:\{[\w$*,\s\u0080-\uffff]{0,3000}\}\s{0,9}(?:from)?\s{0,9})?(?<=\b(?:from|import)\s{0,9})(?<spec>\u0001+)/dgm,
    },
    { pattern: /\b(?:require|import)\s{0,9}\(\s{0,99}(?<spec>\u0001+)/dg },
  ],
  isExported: (lead) => lead.startsWith('export'),
  lists: [
    /^export\s*(?:type\s*)?(?=\{)/gm,
    /^(?:module\.)?exports\s*=\s*(?=\{)/gm,
    /^(?:(?:module\.)?exports\s*=|export\s+default\b|export\s*=)\s*(?:new\s+)?(?<name>[\p{L}_$][\p{L}\p{N}_$]*)\s*;?$/gmu,
  ],
  unsaid:
    /^(?:(?:export|declare|public|override)\s+|default\s+(?=async\b|function\b|class\b|abstract\b|interface\b)|(?:module\.)?exports\.)+/,
});

const python = (): LinePatterns => ({
  ...COMMON,
  hidden: [comment('#'), long('"""'), long("'''"), ...QUOTES],
  rows: [
    { pattern: /(?:async[ \t]+)?def[ \t]+(?<name>[\p{L}_][\p{L}\p{N}_]*)/dmuy, until: ':', place: 'any' },
    { pattern: /class[ \t]+(?<name>[\p{L}_][\p{L}\p{N}_]*)/dmuy, until: ':', holds: 'members' },
    { pattern: /(?<name>[A-Z][A-Z0-9_]+)[ \t]*(?::[^=\n]{0,200})?(?==(?!=))/dmuy },
  ],
  imports: [
    { pattern: /^[ \t]*import[ \t]+(?<spec>[\w., \t]+)/dgm },
    { pattern: /^[ \t]*from[ \t]+(?<spec>\.*\w[\w.]*)[ \t]+import\b/dgm },
    { pattern: /^[ \t]*from[ \t]+(?<base>\.+)[ \t]+import[ \t]+(?<spec>[\w, \t]+)/dgm },
    { pattern: /^[ \t]*from[ \t]+(?<base>\.+)[ \t]+import[ \t]*\((?<spec>[\w,\s]{0,2000})\)/dgm },
  ],
  isExported: (_lead, name) => !name.startsWith('_'),
  isShownMember: (_lead, name) => !name.startsWith('_') || /^__(?:init|call|enter|aenter|iter)__$/.test(name),
  lists: [/^__all__\s*(?::[^=\n]{0,99})?=\s*(?=[[(\u0001])/gm],
  isWholeList: true,
  documentation: 'string',
});

const go = (): LinePatterns => ({
  ...COMMON,
  hidden: [...SLASHES, raw('`', '`'), ...QUOTES],
  rows: [
    {
      pattern: /func\s*\((?:\w+\s+)?\*?(?<owner>\w+)(?:\[[^\]\n]{0,99}\])?\)\s*(?<name>[\p{L}_][\p{L}\p{N}_]*)/dmuy,
      until: '{\n',
    },
    { pattern: /func\s+(?<name>[\p{L}_][\p{L}\p{N}_]*)/dmuy, until: '{\n' },
    { pattern: /type\s+(?<name>[\p{L}_][\p{L}\p{N}_]*)/dmuy, until: '{\n' },
    { pattern: /(?:const|var)\s+(?<name>\p{Lu}[\p{L}\p{N}_]*)/dmuy, until: '=\n' },
    { pattern: /(?<name>const|var|type)\s*\([ \t]*$/dmuy, holds: 'block', isSilent: true },
    { pattern: /(?<name>\p{Lu}[\p{L}\p{N}_]*)/dmuy, until: '={\n', place: 'block' },
  ],
  imports: [
    { pattern: /^import\s*\((?<spec>[^()]{0,5000})\)/dgm },
    { pattern: /^import[ \t]+(?:[\w.]+[ \t]+)?(?<spec>\u0001+)/dgm },
  ],
  isExported: (_lead, name) => /^\p{Lu}/u.test(name),
});

const rust = (): LinePatterns => ({
  ...COMMON,
  hidden: [...SLASHES, raw('\\bb?r(#{0,9})"', '"$1'), long('"'), whole("'(?:[^'\\\\\\n]|\\\\[^\\n]{1,10})'")],
  rows: [
    {
      pattern:
        /(?:#\[[^\]\n]{0,200}\]\s*){0,5}(?<lead>(?:pub(?:\s*\([^)\n]{0,99}\))?\s+)?)(?:(?:default|unsafe|async|const|extern)\s+(?:\u0001+\s+)?){0,4}fn\s+(?<name>\w+)/dmuy,
      until: '{;',
      place: 'any',
    },
    {
      pattern:
        /(?:#\[[^\]\n]{0,200}\]\s*){0,5}(?<lead>(?:pub(?:\s*\([^)\n]{0,99}\))?\s+)?)(?:struct|enum|union)\s+(?<name>\w+)/dmuy,
      until: '{;',
    },
    {
      pattern: /(?<lead>(?:pub(?:\s*\([^)\n]{0,99}\))?\s+)?)(?:unsafe\s+)?trait\s+(?<name>\w+)/dmuy,
      until: '{',
      holds: 'members',
      isOpen: true,
    },
    {
      pattern: /(?<lead>(?:pub(?:\s*\([^)\n]{0,99}\))?\s+)?)(?:type|const|static)\s+(?:mut\s+)?(?<name>\w+)/dmuy,
      until: '=;',
    },
    { pattern: /macro_rules!\s*(?<name>\w+)/dmuy, isExported: true },
    {
      pattern: /(?:pub(?:\s*\([^)\n]{0,99}\))?\s+)?mod\s+(?!tests?\b)(?<name>\w+)\s*(?=\{)/dmuy,
      holds: 'top',
      isSilent: true,
    },
    {
      pattern: /(?:unsafe\s+)?impl\b[^;{\n]{0,200} for (?:\w+::){0,9}(?<name>\w+)/dmuy,
      holds: 'members',
      isSilent: true,
    },
    {
      pattern: /(?:unsafe\s+)?impl(?:<[^;{\n]{0,200}>)?\s+(?:\w+::){0,9}(?<name>(?!where\b)\w+)/dmuy,
      holds: 'members',
      isSilent: true,
    },
  ],
  imports: [
    {
      pattern:
        /^[ \t]*(?:pub(?:\([^)\n]{0,99}\))?[ \t]+)?use[ \t]+(?:::)?(?<spec>[\w:]{0,300}\w)(?=\s{0,9}(?:;|as\b|::\*))/dgm,
    },
    {
      pattern:
        /^[ \t]*(?:pub(?:\([^)\n]{0,99}\))?[ \t]+)?use[ \t]+(?:::)?(?<base>[\w:]{0,300})\{(?<spec>[^;]{0,2000})\}\s*;/dgm,
    },
    { pattern: /^extern[ \t]+crate[ \t]+(?<spec>\w+)/dgm },
    { pattern: /^[ \t]*(?:pub(?:\([^)\n]{0,99}\))?[ \t]+)?(?<spec>mod[ \t]\w+)[ \t]*;/dgm },
  ],
  isExported: (lead) => lead.startsWith('pub'),
  isShownMember: (lead) => lead.startsWith('pub'),
  unsaid: /^pub\s+/,
  preamble: /^#!?\[/,
});

const java = (): LinePatterns => ({
  ...COMMON,
  hidden: [...SLASHES, long('"""'), ...QUOTES],
  rows: [
    {
      pattern:
        /(?:@(?!interface\b)[\w.]+(?:\([^()\n]{0,200}\))?\s+){0,5}(?<lead>(?:(?:public|protected|private|static|final|abstract|sealed|non-sealed|strictfp)\s+){0,6})(?:class|enum|record)\s+(?<name>[\p{L}\p{N}_$]+)/dmuy,
      until: '{',
      holds: 'members',
    },
    {
      pattern:
        /(?:@(?!interface\b)[\w.]+(?:\([^()\n]{0,200}\))?\s+){0,5}(?<lead>(?:(?:public|protected|private|static|abstract|sealed|non-sealed|strictfp)\s+){0,6})@?interface\s+(?<name>[\p{L}\p{N}_$]+)/dmuy,
      until: '{',
      holds: 'members',
      isOpen: true,
    },
    {
      pattern:
        /(?:@[\w.]+(?:\([^()\n]{0,200}\))?\s+){0,5}(?<lead>(?:(?:public|protected|private|static|final|abstract|synchronized|native|default|strictfp)\s+){0,6})(?:[\p{L}\p{N}_$<>[\].,?& ]{1,200}\s)?(?<name>[\p{L}\p{N}_$]+)(?=\s?\()/dmuy,
      until: '{;=',
      place: 'member',
    },
    {
      pattern:
        /(?<lead>(?:(?:public|protected|private)\s+)?static\s+final\s+)[\p{L}\p{N}_$<>[\].,?& ]{1,200}\s(?<name>[\p{L}\p{N}_$]+)(?=\s?=)/dmuy,
      place: 'member',
    },
  ],
  imports: [
    { pattern: /^import[ \t]+(?!static\b)(?<spec>[\w.*]+)/dgm },
    { pattern: /^import[ \t]+static[ \t]+(?<spec>\w+(?:\.\w+){0,20})\.[\w*]+/dgm },
  ],
  isExported: (lead) => /\bpublic\b/.test(lead),
  isShownMember: (lead) => /\bpublic\b/.test(lead),
  unsaid: /^public\s+/,
  preamble: /^(?:package|import)\b/,
  hasOverloads: true,
});

const cFamily = (): LinePatterns => ({
  ...COMMON,
  hidden: [
    ...SLASHES,
    raw('(?<=^|\\n)[ \\t]{0,9}#[ \\t]{0,9}if[ \\t]+0\\b', '\n#e'),
    raw('R"([^()\\\\\\s]{0,16})\\(', ')$1"'),
    quoted('"'),
    quoted("(?<![0-9a-fA-F])'", "'"),
  ],
  rows: [
    {
      pattern: /#[ \t]*define[ \t]+(?<name>[A-Za-z]\w*)\([^)\n]{0,200}\)/dmuy,
      when: /^[ \t]*#[ \t]*(?:pragma[ \t]+once|ifndef[ \t]+\w+_H)/m,
      place: 'any',
    },
    {
      pattern: /(?:inline\s+)?namespace\b(?:\s+\w[\w:]*)?(?<=\s|\b(?:detail|impl|internal)s?)\s*(?=\{)/dmuy,
      holds: 'top',
      isSilent: true,
      isExported: false,
    },
    {
      pattern: /(?:(?:inline\s+)?namespace\s+(?<name>[\w:]+)|extern\s+\u0001+)\s*(?=\{)/dmuy,
      holds: 'top',
      isSilent: true,
    },
    { pattern: /typedef\s+(?:struct|union|enum)\b[^;{}()]{0,99}\{[^{}\n]{0,200}\}\s*(?<name>\w+)\s*;/dmuy },
    {
      pattern:
        /(?<lead>(?:template\s*<[^;{}]{0,200}>\s*)?(?:typedef\s+)?)(?:struct|union)\s+(?:[A-Z_]{2,40}\s+|\[\[[^\]\n]{0,99}\]\]\s*){0,2}(?<name>[\p{L}_][\w:]*)(?=[^;()=]{0,200}\{)/dmuy,
      until: '{',
      holds: 'members',
    },
    {
      pattern:
        /(?<lead>(?:template\s*<[^;{}]{0,200}>\s*)?)class\s+(?:[A-Z_]{2,40}\s+|\[\[[^\]\n]{0,99}\]\]\s*){0,2}(?<name>[\p{L}_][\w:]*)(?=[^;()=]{0,200}\{)/dmuy,
      until: '{',
      holds: 'members',
      isClosed: true,
    },
    {
      pattern: /(?:typedef\s+)?enum(?:\s+(?:class|struct))?\s+(?<name>[\p{L}_]\w*)(?=[^;()=]{0,99}\{)/dmuy,
      until: '{',
    },
    { pattern: /\}[ \t]*\*?(?<name>[\p{L}_]\w*)[ \t]*;/dmuy },
    { pattern: /using\s+(?<name>\w+)\s*=/dmuy, until: ';' },
    { pattern: /typedef\b[^;{(]{1,150}\(\s?\*\s?(?<name>\w+)\s?\)/dmuy, until: ';' },
    { pattern: /typedef\b[^;{()]{1,150}[\s*](?<name>\w+)(?=\s?(?:\[[^\]\n]{0,40}\])?;)/dmuy },
    {
      pattern:
        /(?!(?:if|for|while|switch|return|else|case|goto|typedef|using|delete|new|throw|do|catch|friend)\b)(?<lead>(?:template\s*<[^;{}]{0,200}>\s*)?[A-Za-z_\u0001][\w \t*&:<>,\u0001]{0,150}[\s*&])(?<name>(?!__)(?:\w{1,60}(?:<\w{0,60}>)?::){0,4}(?:[\p{L}_]\w{0,80}|operator\s?[^\s\w(]{1,3}))(?=\s?\()/dmuy,
      until: '{;=:',
      place: 'any',
    },
    { pattern: /(?<name>(?:\w{1,80}(?:<\w{0,60}>)?::){1,4}~?\w{1,80})(?=\s?\()/dmuy, until: '{;=:' },
  ],
  imports: [{ pattern: /^[ \t]*#[ \t]*(?:include|import)[ \t]*(?<spec>\u0001+|<[^>\n]{1,200}>)/dgm, hasQuotes: true }],
  isExported: (lead) => !/\bstatic\b/.test(lead),
  isShownMember: (_lead, name, owner) => name !== owner,
  access: /(public|protected|private)(?:\s+\w+)?\s*:(?!:)/y,
  margin: /#/y,
  unsaid: /^(?:(?:extern(?:\s+"[^"]*")?|__\w+)\s+|\}\s*)+/,
  preamble: /^#/,
  hasOverloads: true,
});

const ruby = (): LinePatterns => ({
  ...COMMON,
  hidden: [
    comment('(?<=^|\\n)=begin\\b', '\n=end'),
    comment('#(?!\\{)'),
    raw('(?<![\\w<])<<[~\\-]?["\'`]?([A-Z_]\\w{0,40})["\'`]?(?=[^\\n]{0,200}\\n)', '$1\n'),
    whole(REGEX),
    whole('%[wWiIqQ][(\\[{<][^\\n()\\[\\]{}<>]{0,300}[)\\]}>]'),
    quoted('(?<![?$])"', '"'),
    quoted("(?<![?$])'", "'"),
  ],
  rows: [
    { pattern: /(?:class|module)[ \t]+(?<name>[A-Z][\w:]*)/dmuy, until: '\n;', holds: 'members' },
    { pattern: /class[ \t]*<<[ \t]*self/dmuy, holds: 'members', isSilent: true },
    {
      pattern:
        /(?:(?:public|module_function|memoize)[ \t]+)?(?<lead>)def[ \t]+(?<name>(?:self\.)?[\p{L}_][\p{L}\p{N}_]*[?!=]?|(?:self\.)?[^\s\w(]{1,3})/dmuy,
      until: '=\n;',
      place: 'any',
    },
    { pattern: /(?<name>attr_(?:reader|writer|accessor)\b[^\n]{0,120})/dmuy, place: 'member' },
  ],
  imports: [
    { pattern: /^[ \t]*require_relative[ \t(]{1,9}(?<spec>\u0001+)/dgm, prefix: './' },
    { pattern: /^[ \t]*(?:require|autoload)\b[^\n\u0001]{0,60}(?<spec>\u0001+)/dgm },
  ],
  access: /(private|protected|public)[ \t]*$/my,
});

/** Any other text: it knows nothing for certain and promises little. */
const text = (): LinePatterns => ({
  ...COMMON,
  hidden: [
    comment('(?<=^|\\n)[ \\t]{0,40}(?://|#(?!include|define|if|endif|else|\\[)|--(?!>)|;|%|\\*|/\\*|<!--|\'\'\'|""")'),
  ],
  rows: [
    {
      pattern:
        /(?:@\w+\s+)?(?:(?:export|pub|public|protected|internal|open|override|static|final|abstract|sealed|data|async|partial|inline|case|default|unsafe)\s+){0,6}(?:defmodule|class|interface|trait|struct|enum|object|record|protocol|extension|actor|mixin|service|message)\s+(?<name>[\p{L}_][\p{L}\p{N}_.:$-]*)/dmuy,
      until: '{\n',
      holds: 'members',
    },
    { pattern: /(?:module|namespace)\s+(?<name>[\p{L}_][\p{L}\p{N}_.:$-]*)/dmuy, until: '{\n', holds: 'members' },
    {
      pattern:
        /(?:@\w+\s+)?(?:(?:export|pub|public|protected|internal|open|override|static|final|abstract|async|inline|local|virtual|suspend|default|unsafe|extern)\s+){0,6}(?:function|func|fun|fn|def|defp|type|sub|procedure|proc|rpc|resource|variable|theorem|lemma)\s+(?<name>["']?[\p{L}_][\p{L}\p{N}_.:$-]*)/dmuy,
      until: '{>\n',
      place: 'any',
    },
    {
      pattern:
        /create\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+|unique\s+|materialized\s+)?(?:table|view|function|procedure|index|trigger|type|schema|sequence)\s+(?:if\s+not\s+exists\s+)?(?<name>[\w."`[\]]+)/dimuy,
      until: '(;\n',
    },
    { pattern: /(?<name>[\w:-]+)[ \t]*\(\)(?=[ \t]*\{?[ \t]*$)/dmuy },
    { pattern: /\[{1,2}(?<name>[^[\]=\n]{1,80})\]{1,2}[ \t]*$/dmuy },
  ],
  otherwise: [{ pattern: /(?<name>[A-Za-z_][\w .-]{0,60})(?=:(?:\s|$))/dmuy }],
  imports: [],
  unsaid: /\s+do$|:$/,
  mayBeProse: true,
});

const PATTERNS: { readonly [language: string]: () => LinePatterns } = {
  typescript: ecmaScript,
  javascript: ecmaScript,
  python,
  go,
  rust,
  java,
  c: cFamily,
  cpp: cFamily,
  ruby,
};

/** Made when they are asked for: a hook reads one file. */
export const patternsOf = (language: string): LinePatterns => (PATTERNS[language] ?? text)();
