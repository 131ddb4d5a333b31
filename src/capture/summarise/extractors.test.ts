// One natural file per language, with what misleads a reader of lines: decorators, generics, signatures over several
// lines, comments and strings that hold code.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FileSummary, renderDefinitions, summarise } from './summarise.ts';

function read(fixture: string, name: string): FileSummary & { listed: string[] } {
  const text = fs.readFileSync(path.join(import.meta.dirname, 'fixtures', fixture), 'utf8');
  const summary = summarise(name, text);
  return { ...summary, listed: renderDefinitions(summary).split('\n') };
}

describe('TypeScript', () => {
  const summary = read('typescript.txt', 'src/tokens.ts');

  it('takes the purpose from the comment behind the licence, the first paragraph of it', () => {
    expect(summary.purpose).toBe(
      'Issues and checks the tokens that keep people logged in. Nothing here knows about HTTP.',
    );
  });

  it('lists exports and public methods with whole signatures and the first sentence of their documentation', () => {
    expect(summary.listed).toEqual([
      "- `* from './errors.ts'`",
      '- `Watch`',
      '- `Store`',
      '- `async function issueToken<T extends { id: string }>(user: T, options: { ttl?: number } = {}): Promise<{ token: string; expires: Date }>` - Makes a token',
      '- `const verify = async (token: string): Promise<boolean>`',
      '- `const curry = (a: number)`',
      '- `const MAX_AGE`',
      '- `type Claims`',
      '- `interface Session extends Claims`',
      '- `const enum Level`',
      '- `abstract class SessionKeeper<T = unknown> extends Base<{ a: 1 }> implements Closable` - Keeps sessions',
      '  - `async open(id: string, { deep = true }: { deep?: boolean } = {}): Promise<void>` - Opens one',
      '  - `static create<T>(): SessionKeeper<T>`',
      '  - `get size(): number`',
      '- `function overloaded(a: string): void`',
      '- `const later`',
    ]);
  });

  it('names every import once, also those over several lines and for their effect alone', () => {
    expect(summary.imports).toEqual(['node:fs/promises', './store.ts', './side-effect.js', './errors.ts']);
  });
});

describe('JavaScript', () => {
  it('reads CommonJS, JSX, a shebang, "use strict" and a file overview', () => {
    const summary = read('javascript.txt', 'web/orders.jsx');
    expect(summary.language).toBe('javascript');
    expect(summary.purpose).toBe('Renders the list of orders.');
    expect(summary.imports).toEqual(['react', './total', './lazy.js']);
    expect(summary.listed).toEqual([
      "- `function OrderList({ orders, onSelect })` - Shows orders, don't you think?",
      '- `function* ids()`',
      '- `class Row extends React.Component`',
      '  - `render()`',
      "- `sum = function (a, b = ')')`",
      '- `limit`',
      '- `go`',
    ]);
  });

  it('looks into modules and namespaces', () => {
    const text =
      'declare module "a" {\n  /** Reads. */\n  export function read(): void;\n  namespace deep {\n    export const x: 1;\n  }\n}\n';
    const summary = summarise('a.d.ts', text);
    expect(renderDefinitions(summary)).toBe('- `function read(): void` - Reads\n- `const x: 1`');
  });

  it('lists what a script defines if it exports nothing', () => {
    const { definitions } = summarise('run.mjs', 'const x = 1;\nfunction main() {}\nclass App {}\nmain();\n');
    expect(definitions.map((each) => each.name)).toEqual(['main', 'App']);
  });
});

describe('Python', () => {
  it('reads docstrings, __all__, decorators, signatures over several lines and imports of both kinds', () => {
    const summary = read('python.txt', 'app/orders.py');
    expect(summary.purpose).toBe('Loads orders from the warehouse.');
    expect(summary.imports).toEqual([
      '__future__',
      'os',
      'sys',
      '.models',
      '.views',
      '.config',
      '..shared.db',
      'numpy',
    ]);
    expect(summary.listed).toEqual([
      '- `MAX_ROWS: int`',
      '- `def load_orders(path: str = "a:b(", *, limit: int | None = None, **kwargs: dict[str, int]) -> list["Order"]` - Reads orders from a file',
      '- `class Order(Base, metaclass=Meta)` - An order, as e.g. the shop sees it',
      '  - `def __init__(self, id: str) -> None`',
      '  - `def total(self) -> "Decimal"` - Sum of its rows',
      '  - `async def save(self, db) -> None`',
      '- `class Inner`',
      '  - `def deep(self)`',
    ]);
  });
});

describe('Go', () => {
  it('lists what is exported, methods below their types, and takes the package comment', () => {
    const summary = read('go.txt', 'queue/queue.go');
    expect(summary.purpose).toBe('Package queue hands jobs to workers. It never loses one.');
    expect(summary.imports).toEqual([
      'context',
      'github.com/sirupsen/logrus',
      'example.com/shop/internal/store',
      'fmt',
    ]);
    expect(summary.listed).toEqual([
      '- `const MaxJobs` - MaxJobs is the most jobs that wait',
      '- `const Fast Priority` - Fast jobs',
      '- `var ErrFull`',
      '- `type Priority int` - Priority orders jobs',
      '- `type Queue[T any] struct` - Queue is safe for use by many goroutines at once',
      '  - `func (q *Queue[T]) Push(ctx context.Context, job T, meta map[string]interface{}) (id string, err error)` - Push adds a job',
      '- `type Handler interface` - Handler does the work',
      '- `func New[T any](size int, opts ...func(*Queue[T])) (*Queue[T], error)` - New makes a queue',
      '- `func Raw() interface{}`',
    ]);
  });
});

describe('Rust', () => {
  it('reads inner documentation, public items, impl blocks, traits, use trees and modules', () => {
    const summary = read('rust.txt', 'src/blob.rs');
    expect(summary.purpose).toBe('Stores blobs by their digest.');
    expect(summary.imports).toEqual([
      'std::collections::HashMap',
      'std::io',
      'crate::store::Store',
      'crate::model',
      'crate',
      'super::config::Settings',
      'serde::Serialize',
      'libc',
      'mod cache',
      'mod index',
    ]);
    expect(summary.listed).toEqual([
      "- `struct Blob<'a, T: ?Sized> where T: 'a` - A blob",
      "  - `fn new(bytes: &'a T) -> Self` - Makes one",
      '  - `async unsafe fn read<R>(&self, mut from: R, map: HashMap<String, Vec<u8>>) -> io::Result<usize> where R: Read`',
      '- `pub(crate) enum State`',
      '- `const MAX: usize`',
      '- `static NAME: &str`',
      '- `trait Open: Send` - Opens things',
      '  - `fn open(&self, name: &str) -> Result<(), Error>` - Opens it',
      '  - `fn close(&mut self)`',
      '- `macro_rules! blob`',
      '- `fn digest(data: &[u8]) -> [u8; 32]`',
    ]);
  });
});

describe('Java', () => {
  it('reads types with their public methods, through annotations, generics and text blocks', () => {
    const summary = read('java.txt', 'src/main/java/com/acme/shop/orders/OrderService.java');
    expect(summary.purpose).toBe('Takes orders and keeps them. Thread-safe.');
    expect(summary.imports).toEqual(['com.acme.shop.Money', 'java.util.Objects', 'java.util.*']);
    expect(summary.listed).toEqual([
      '- `final class OrderService<T extends Comparable<T>> implements Closeable` - Takes orders and keeps them',
      '  - `static final int MAX`',
      '  - `OrderService(Repository repository)`',
      '  - `<R> Optional<R> place(final String id, Map<String, ? super T> rows) throws IOException` - Places an order',
      '  - `int count()`',
      '  - `int count(String of)`',
      '- `enum State`',
      '- `interface Listener`',
    ]);
  });
});

describe('C and C++', () => {
  it('reads namespaces, templates, access labels, branches of #if, raw strings and macros', () => {
    const summary = read('cpp.txt', 'include/ring.hpp');
    expect(summary.purpose).toBe('A ring buffer for one writer and one reader.');
    expect(summary.imports).toEqual(['<vector>', '"util/span.h"', '"wide.h"']);
    expect(summary.listed).toEqual([
      '- `#define RING_MIN(a, b)`',
      '- `#define RING_MULTI(x)`',
      '- `enum class Error : int` - Errors that can happen',
      '- `using Bytes = std::vector<std::byte>`',
      '- `template <typename T, std::size_t N = (1 << 4)> class [[nodiscard]] Ring final : public Base<T>` - A ring of T',
      '  - `bool push(const T& value, std::function<void(int)> then = {}) noexcept` - Puts one in',
      '  - `T pop() const override`',
      '  - `Ring& operator=(const Ring& other)`',
      '  - `bool operator==(const Ring&) const`',
      '- `int open_it(int a)`',
      '- `int open_it(void)`',
      '- `template <class T> T largest(T a, T b)`',
      '- `int ring_start(const char *name, int (*callback)(void *), ...)` - Starts the thing',
      '- `typedef struct { int a; } Plain`',
      '- `typedef void (*Handler)(int)`',
      '- `struct Node`',
    ]);
  });

  it('takes a header with classes for C++, and one without for C', () => {
    expect(summarise('a.h', 'class A {};\n').language).toBe('cpp');
    expect(summarise('a.h', 'int f(void);\n').language).toBe('c');
  });
});

describe('Ruby', () => {
  it('reads classes with their public methods, through here-documents, regular expressions and endless methods', () => {
    const summary = read('ruby.txt', 'lib/shop/letter.rb');
    expect(summary.purpose).toBe('Sends letters to customers. It retries.');
    expect(summary.imports).toEqual(['json', './templates/base', '../lib/queue']);
    expect(summary.listed).toEqual([
      '- `module Shop`',
      '  - `def self.configure`',
      '- `class Letter < Struct.new(:to, :body)` - A letter',
      '  - `attr_reader :to, :sent_at`',
      '  - `def self.from(row, strict: false, **rest)` - Makes one from a row',
      '  - `def initialize(to, body = "def x")`',
      '  - `def deliver!(via: :post, &block)` - Sends it!',
      '  - `def sent?`',
      '  - `def <=>(other)`',
      '  - `def ==(other)`',
      '  - `def build(*args)`',
      '- `class Error < StandardError`',
      '- `def top_level(a, b)` - def commented end',
      '- `module Later`',
      '  - `def self.now`',
    ]);
  });
});

describe('Markdown', () => {
  it('takes the first paragraph, the outline without code blocks, and links to files', () => {
    const summary = read('markdown.txt', 'docs/ordering.md');
    expect(summary.purpose).toBe('Says how orders flow through the system, from the shop to the warehouse.');
    expect(summary.imports).toEqual(['./orders.md', '../src/order.ts']);
    expect(summary.listed).toEqual(['- Setup', '- Some Setext', '  - Details of it', '- Setup of more']);
  });
});

describe('any other text', () => {
  it('finds lines that look like definitions', () => {
    const sql = summarise(
      'db/schema.sql',
      '-- Tables of the shop.\n\nCREATE TABLE IF NOT EXISTS orders (\n  id int\n);\ncreate view open_orders as select 1;\n',
    );
    expect(sql.purpose).toBe('Tables of the shop.');
    expect(renderDefinitions(sql)).toBe(
      '- `CREATE TABLE IF NOT EXISTS orders`\n- `create view open_orders as select 1`',
    );
    const kotlin = summarise('Thing.kt', 'package x\n/** Keeps things. */\ndata class Thing(val a: Int)\n');
    expect(renderDefinitions(kotlin)).toBe('- `data class Thing(val a: Int)` - Keeps things');
    const toml = summarise('x.toml', '# Settings of the build.\n[package]\nname = "x"\n[[bin]]\n');
    expect(toml.definitions.map((each) => each.name)).toEqual(['package', 'bin']);
  });
});
