// A git remote as the place of sync: one branch of a repository of its own, seen through a bare repository below the user root. Nothing
// is ever checked out, so links, filters and attributes of the remote mean nothing. Every machine adds files under its own names, so a
// push that another one came before is made again on top of it: there is nothing to merge.

import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { CairnError } from '../errors.ts';
import { type FlushOptions, isPlaceName, MAX_OBJECT_BYTES, type Place, placeTrouble } from './place.ts';
import { type GitAnswer, type GitOptions, NETWORK_MS, runGit } from './run-git.ts';

const BRANCH = 'refs/heads/cairn-sync';
const SEEN = 'refs/cairn/remote';
const TRIES = 12;
const BATCH_BYTES = 48 * 1024 * 1024;
const WHO = { NAME: 'Cairn', EMAIL: 'cairn@localhost' };
const IDENTITY = Object.fromEntries(
  ['AUTHOR', 'COMMITTER'].flatMap((role) => Object.entries(WHO).map(([key, value]) => [`GIT_${role}_${key}`, value])),
);

type Blob = { readonly id: string; readonly size: number };

/** As people write the address of a repository, or the path of one without a work tree. */
export function isGitAddress(place: string): boolean {
  if (/^(?:https?|ssh|git|file|git\+ssh):\/\//i.test(place) || /^[\w.-]+@[\w.-]+:/.test(place)) return true;
  return fs.existsSync(path.join(place, 'HEAD')) && fs.existsSync(path.join(place, 'objects'));
}

export function gitPlace(address: string, cache: string, env: NodeJS.ProcessEnv): Place {
  return new GitPlace(address, cache, env);
}

class GitPlace implements Place {
  readonly kind = 'git';
  readonly label: string;
  readonly #address: string;
  readonly #cache: string;
  readonly #env: NodeJS.ProcessEnv;
  #tip = '';
  #blobs = new Map<string, Blob>();
  /** What is to be there, by name; `undefined` for what is to go. */
  readonly #staged = new Map<string, { readonly id: string; readonly isNew: boolean } | undefined>();

  constructor(address: string, cache: string, env: NodeJS.ProcessEnv) {
    this.label = withoutPassword(address);
    this.#address = /^[\w+]+:\/\/|@/.test(address) ? address : path.resolve(address);
    this.#cache = cache;
    this.#env = env;
  }

  async refresh(): Promise<void> {
    await this.#prepare();
    const listed = await this.#remote(['ls-remote', '--heads', '--', this.#address, BRANCH]);
    const tip = /^([0-9a-f]{40,64})\t/.exec(listed.out.toString('utf8'))?.[1] ?? '';
    const before = (await this.#ask(['rev-parse', '--verify', '--quiet', SEEN])).out.toString('utf8').trim();
    if (tip !== '' && !(await this.#has(tip))) {
      const quiet = ['--quiet', '--no-tags', '--no-write-fetch-head'];
      await this.#remote(['fetch', ...quiet, '--', this.#address, `+${BRANCH}:${SEEN}`]);
      // Somebody has forgotten something, and what was there earlier with it.
      const goesOn = before === '' || (await this.#ask(['merge-base', '--is-ancestor', before, SEEN])).code === 0;
      if (!goesOn && this.#staged.size === 0) await this.#prune();
    } else if (tip !== '') await this.#local(['update-ref', SEEN, tip]);
    this.#tip = tip === '' ? '' : (await this.#local(['rev-parse', SEEN])).out.toString('utf8').trim();
    this.#blobs = this.#tip === '' ? new Map() : await this.#blobsOf(this.#tip);
  }

  async list(): Promise<ReadonlySet<string>> {
    const names = new Set(this.#blobs.keys());
    for (const [name, staged] of this.#staged)
      if (staged) names.add(name);
      else names.delete(name);
    return names;
  }

  async read(names: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>();
    const wanted = names.flatMap((name) => {
      const id = this.#staged.get(name)?.id ?? (this.#staged.has(name) ? undefined : this.#blobs.get(name)?.id);
      return id === undefined ? [] : [{ name, id, size: this.#blobs.get(name)?.size ?? 0 }];
    });
    for (let from = 0; from < wanted.length; ) {
      let [to, bytes] = [from, 0];
      while (to < wanted.length && (to === from || bytes + wanted[to]!.size <= BATCH_BYTES))
        bytes += wanted[to++]!.size;
      const batch = wanted.slice(from, to);
      const { out } = await this.#local(['cat-file', '--batch'], {
        input: `${batch.map(({ id }) => id).join('\n')}\n`,
      });
      let at = 0;
      for (const { name } of batch) {
        const end = out.indexOf(0x0a, at);
        const size = Number(/^[0-9a-f]+ blob (\d+)$/.exec(out.toString('latin1', at, end))?.[1] ?? -1);
        if (end < 0 || size < 0) throw this.#trouble('cat-file', `${name} cannot be read`);
        found.set(name, out.subarray(end + 1, end + 1 + size));
        at = end + 1 + size + 1;
      }
      from = to;
    }
    return found;
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    await this.#stage(name, bytes, false);
  }

  async putNew(name: string, bytes: Uint8Array): Promise<boolean> {
    if ((await this.list()).has(name)) return false;
    await this.#stage(name, bytes, true);
    return true;
  }

  async #stage(name: string, bytes: Uint8Array, isNew: boolean): Promise<void> {
    const { out } = await this.#local(['hash-object', '-w', '--no-filters', '--stdin'], { input: bytes });
    this.#staged.set(name, { id: out.toString('utf8').trim(), isNew });
  }

  async remove(names: readonly string[]): Promise<void> {
    for (const name of names) this.#staged.set(name, undefined);
  }

  /** Made again on top of what another machine has pushed meanwhile. */
  async flush({ forget = false }: FlushOptions = {}): Promise<void> {
    for (let tries = 1; ; tries++) {
      const changes = this.#changes();
      if (changes.length === 0 && !forget) return void this.#staged.clear();
      const commit = await this.#commit(changes, forget ? [] : this.#tip === '' ? [] : ['-p', this.#tip]);
      const lease = `--force-with-lease=${BRANCH}:${this.#tip}`;
      const pushed = await this.#ask(
        ['push', '--quiet', '--porcelain', lease, '--', this.#address, `${commit}:${BRANCH}`],
        {
          timeoutMs: NETWORK_MS,
        },
      );
      if (pushed.code === 0) {
        this.#staged.clear();
        await this.#local(['update-ref', SEEN, commit]);
        this.#tip = commit;
        this.#blobs = await this.#blobsOf(commit);
        if (forget) await this.#prune();
        return;
      }
      const isBehind =
        /stale info|fetch first|non-fast-forward|\[rejected\]|\[remote rejected\]|cannot lock ref|failed to update ref/i;
      if (tries >= TRIES || !isBehind.test(pushed.err + pushed.out.toString('utf8')))
        throw this.#trouble('push', reason(pushed));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 200 * tries));
      await this.refresh();
      this.#checkNew();
    }
  }

  /** What is to be new, and another machine has put there meanwhile, is not ours to replace. */
  #checkNew(): void {
    for (const [name, staged] of this.#staged)
      if (staged?.isNew && this.#blobs.has(name)) {
        this.#staged.clear();
        throw placeTrouble(`Another machine has just set up ${this.label}.`, 'Run the same command again: it joins.');
      }
  }

  #changes(): string[] {
    return [...this.#staged].flatMap(([name, staged]) => {
      const there = this.#blobs.get(name)?.id;
      if (staged) return staged.id === there ? [] : [`100644 ${staged.id}\t${name}`];
      return there === undefined ? [] : [`0 ${'0'.repeat(there.length)}\t${name}`];
    });
  }

  async #commit(changes: readonly string[], parents: readonly string[]): Promise<string> {
    const index = path.join(this.#cache, `index.${randomBytes(6).toString('hex')}`);
    const env = { GIT_INDEX_FILE: index };
    try {
      await this.#local(this.#tip === '' ? ['read-tree', '--empty'] : ['read-tree', this.#tip], { env });
      await this.#local(['update-index', '--index-info'], { env, input: changes.map((line) => `${line}\n`).join('') });
      const tree = (await this.#local(['write-tree'], { env })).out.toString('utf8').trim();
      const made = await this.#local(['commit-tree', tree, ...parents, '-m', 'sync'], { env: IDENTITY });
      return made.out.toString('utf8').trim();
    } finally {
      fs.rmSync(index, { force: true });
      fs.rmSync(`${index}.lock`, { force: true });
    }
  }

  /** A repository that has branches of its own, or other files on ours. */
  async isForeign(): Promise<boolean> {
    const { out } = await this.#remote(['ls-remote', '--heads', '--', this.#address]);
    const heads = out.toString('utf8').split('\n').filter(Boolean);
    if (heads.some((line) => !line.endsWith(`\t${BRANCH}`)) && this.#tip === '') return true;
    return this.#tip !== '' && this.#blobs.size === 0;
  }

  async #prepare(): Promise<void> {
    if (fs.existsSync(path.join(this.#cache, 'HEAD'))) return;
    fs.mkdirSync(this.#cache, { recursive: true, mode: 0o700 });
    await this.#local(['init', '--quiet', '--bare']);
  }

  /** What no commit holds any more goes from this machine too. */
  async #prune(): Promise<void> {
    await this.#local(['gc', '--quiet', '--prune=now'], { timeoutMs: NETWORK_MS });
  }

  async #has(commit: string): Promise<boolean> {
    return (await this.#ask(['cat-file', '-e', `${commit}^{tree}`])).code === 0;
  }

  async #blobsOf(commit: string): Promise<Map<string, Blob>> {
    const { out } = await this.#local(['ls-tree', '-r', '-l', '-z', '--full-tree', commit]);
    const blobs = new Map<string, Blob>();
    for (const line of out.toString('utf8').split('\0')) {
      const [, id, size, name] = /^100644 blob ([0-9a-f]{40,64}) +(\d+)\t(.+)$/s.exec(line) ?? [];
      if (id !== undefined && name !== undefined && isPlaceName(name) && Number(size) <= MAX_OBJECT_BYTES)
        blobs.set(name, { id, size: Number(size) });
    }
    return blobs;
  }

  #ask(args: readonly string[], options?: GitOptions): Promise<GitAnswer> {
    return runGit(this.#cache, args, this.#env, options);
  }

  async #local(args: readonly string[], options?: GitOptions): Promise<GitAnswer> {
    const answer = await this.#ask(args, options);
    if (answer.code !== 0) throw this.#trouble(args[0]!, reason(answer));
    return answer;
  }

  async #remote(args: readonly string[]): Promise<GitAnswer> {
    return this.#local(args, { timeoutMs: NETWORK_MS });
  }

  #trouble(what: string, why: string): CairnError {
    return placeTrouble(
      `git ${what} failed for ${this.label}: ${why.replaceAll(this.#address, this.label)}`,
      'Check the address, the network and that git can sign in without asking (`git ls-remote` with that address shows it), then run it again: it goes on where it stopped.',
    );
  }
}

const reason = ({ err, out }: GitAnswer): string =>
  (err.trim() || out.toString('utf8').trim() || 'it said nothing').split('\n').slice(-3).join(' ');

const withoutPassword = (address: string): string => address.replace(/^(\w[\w+.-]*:\/\/)[^@/]+@/, '$1');
