// Which language a file is in, by its name. A language without line patterns of its own still has a name, so that a
// setting can ask for it.

type Language = {
  readonly name: string;
  readonly shown: string;
  readonly endings: string;
};

const LANGUAGES: readonly Language[] = [
  { name: 'typescript', shown: 'TypeScript', endings: 'ts tsx mts cts' },
  { name: 'javascript', shown: 'JavaScript', endings: 'js jsx mjs cjs' },
  { name: 'python', shown: 'Python', endings: 'py pyi pyw' },
  { name: 'go', shown: 'Go', endings: 'go' },
  { name: 'rust', shown: 'Rust', endings: 'rs' },
  { name: 'java', shown: 'Java', endings: 'java' },
  { name: 'c', shown: 'C', endings: 'c h' },
  { name: 'cpp', shown: 'C++', endings: 'cpp cc cxx hpp hh hxx inl ipp' },
  { name: 'ruby', shown: 'Ruby', endings: 'rb rake gemspec ru' },
  { name: 'markdown', shown: 'Markdown', endings: 'md mdx markdown' },
  { name: 'csharp', shown: 'C#', endings: 'cs' },
  { name: 'kotlin', shown: 'Kotlin', endings: 'kt kts' },
  { name: 'swift', shown: 'Swift', endings: 'swift' },
  { name: 'php', shown: 'PHP', endings: 'php' },
  { name: 'scala', shown: 'Scala', endings: 'scala' },
  { name: 'dart', shown: 'Dart', endings: 'dart' },
  { name: 'lua', shown: 'Lua', endings: 'lua' },
  { name: 'elixir', shown: 'Elixir', endings: 'ex exs' },
  { name: 'shell', shown: 'shell', endings: 'sh bash zsh' },
  { name: 'sql', shown: 'SQL', endings: 'sql' },
  { name: 'vue', shown: 'Vue', endings: 'vue' },
  { name: 'svelte', shown: 'Svelte', endings: 'svelte' },
  { name: 'html', shown: 'HTML', endings: 'html htm' },
  { name: 'css', shown: 'CSS', endings: 'css scss sass less' },
  { name: 'yaml', shown: 'YAML', endings: 'yml yaml' },
  { name: 'toml', shown: 'TOML', endings: 'toml' },
  { name: 'json', shown: 'JSON', endings: 'json jsonc json5' },
  { name: 'xml', shown: 'XML', endings: 'xml' },
  { name: 'proto', shown: 'Protocol Buffers', endings: 'proto' },
  { name: 'terraform', shown: 'Terraform', endings: 'tf' },
];

/** What people write in a setting. */
const ALIASES: { readonly [alias: string]: string } = {
  ts: 'typescript',
  tsx: 'typescript',
  js: 'javascript',
  jsx: 'javascript',
  node: 'javascript',
  py: 'python',
  golang: 'go',
  rs: 'rust',
  'c++': 'cpp',
  cxx: 'cpp',
  rb: 'ruby',
  md: 'markdown',
  'c#': 'csharp',
  cs: 'csharp',
  kt: 'kotlin',
  sh: 'shell',
  bash: 'shell',
  yml: 'yaml',
};

const TEXT: Language = { name: 'text', shown: 'text', endings: '' };

/** `text` for what has no name. */
export function languageOf(file: string): string {
  return find(file).name;
}

function find(file: string): Language {
  const name = file.slice(file.lastIndexOf('/') + 1).toLowerCase();
  if (name === 'rakefile' || name === 'gemfile') return byName('ruby');
  const ending = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : '';
  return (ending && LANGUAGES.find((each) => each.endings.split(' ').includes(ending))) || TEXT;
}

const byName = (name: string): Language => LANGUAGES.find((each) => each.name === name) ?? TEXT;

export const shownLanguage = (language: string): string => byName(language).shown;

/** Whether a setting such as `["typescript", "c++"]` asks for this file. `*` asks for every text file. */
export function isLanguageWanted(file: string, wanted: readonly string[]): boolean {
  const names = wanted.map((each) => each.trim().toLowerCase()).map((each) => ALIASES[each] ?? each);
  // A header may be either; its name does not say.
  const own = /\.h$/i.test(file) ? ['c', 'cpp'] : [languageOf(file)];
  return names.includes('*') || own.some((language) => names.includes(language));
}
