// The keys of a place, and what is done with them. One secret for all machines lies there itself, encrypted with the user's passphrase
// or key file; whoever opens it once keeps it at home. Objects are age files named by a keyed hash of what they hold, so a name tells
// nothing, and bytes that are not what their name says, or were made by somebody without the key, are noticed.

import { createHmac, randomBytes } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { CairnError, messageOf } from '../errors.ts';
import { isObject, parseJson } from '../model/json.ts';
import { decryptWith, encryptFor, encryptTo, newIdentity, type Opener, recipientOf } from './age.ts';
import { KEY_FILE, MARKER, type Place, placeTrouble } from './place.ts';

export type VaultSecrets = { readonly identity: string; readonly nameKey: string };

const FORMAT = 'cairn-sync';
const VERSION = 1;
const KEY_BYTES = 32;
/** Damaged or planted bytes must not take all memory when they are unpacked. */
const MAX_UNPACKED = 512 * 1024 * 1024;

export class Vault {
  readonly secrets: VaultSecrets;
  #recipient: Promise<string> | undefined;

  constructor(secrets: VaultSecrets) {
    this.secrets = secrets;
  }

  /** The folder of a machine. */
  folderOf(machine: string): string {
    return this.#keyed('machine', machine).slice(0, 32);
  }

  hashOf(plain: Uint8Array): string {
    return this.#keyed('object', plain);
  }

  async seal(plain: Uint8Array): Promise<Uint8Array> {
    this.#recipient ??= recipientOf(this.secrets.identity);
    return encryptTo(await this.#recipient, gzipSync(plain));
  }

  /** Throws READ_ERROR where it is not what was put there under this name. */
  async open(hash: string, sealed: Uint8Array): Promise<Uint8Array> {
    const plain = await this.#opened(sealed, `object ${hash.slice(0, 12)}`);
    if (this.hashOf(plain) !== hash)
      throw damaged(`object ${hash.slice(0, 12)}`, 'it holds something else than its name says');
    return plain;
  }

  sealManifest(folder: string, text: string): Promise<Uint8Array> {
    return this.seal(Buffer.from(`${this.#keyed('manifest', `${folder}\0${text}`)}\n${text}`));
  }

  async openManifest(folder: string, sealed: Uint8Array): Promise<string> {
    const what = `manifest of ${folder.slice(0, 8)}`;
    const plain = Buffer.from(await this.#opened(sealed, what)).toString('utf8');
    const at = plain.indexOf('\n');
    const text = plain.slice(at + 1);
    if (at < 0 || plain.slice(0, at) !== this.#keyed('manifest', `${folder}\0${text}`))
      throw damaged(what, 'it was not written with the key of this place');
    return text;
  }

  async #opened(sealed: Uint8Array, what: string): Promise<Uint8Array> {
    try {
      const packed = await decryptWith({ identities: [this.secrets.identity] }, sealed);
      return gunzipSync(packed, { maxOutputLength: MAX_UNPACKED });
    } catch (error) {
      throw damaged(what, messageOf(error), error);
    }
  }

  #keyed(kind: string, value: string | Uint8Array): string {
    return createHmac('sha256', Buffer.from(this.secrets.nameKey, 'hex'))
      .update(`${kind}\0`)
      .update(value)
      .digest('hex');
  }
}

export const damaged = (what: string, why: string, cause?: unknown): CairnError =>
  new CairnError('READ_ERROR', `The ${what} at the place of sync cannot be read: ${why.replace(/\.$/, '')}.`, {
    fix: 'If the place is carried by another program, let that finish and run it again. The machine that wrote it puts it there anew with: cairn sync push --again',
    ...(cause === undefined ? {} : { cause }),
  });

/** A place that was set up already: whether one is there, and of a version that is known here. */
export async function isSetUp(place: Place): Promise<boolean> {
  const marker = (await place.read([MARKER])).get(MARKER);
  // Whoever set it up and was killed has put the key there first.
  if (!marker) return (await place.list()).has(KEY_FILE);
  const value = parseJson(Buffer.from(marker).toString('utf8'));
  if (!isObject(value) || value.format !== FORMAT || typeof value.version !== 'number')
    throw placeTrouble(`${place.label} holds a ${MARKER} that is none.`, 'Name a folder or a repository of its own.');
  if (value.version > VERSION)
    throw placeTrouble(
      `${place.label} was set up by a newer Cairn (format ${value.version}, this one knows ${VERSION}).`,
      'Update Cairn on this machine. Nothing was changed.',
    );
  return true;
}

export async function createVault(place: Place, opener: Opener, workFactor?: number): Promise<Vault> {
  const secrets: VaultSecrets = { identity: await newIdentity(), nameKey: randomBytes(KEY_BYTES).toString('hex') };
  const sealed = await encryptFor(opener, Buffer.from(`${JSON.stringify(secrets)}\n`), workFactor);
  if (!(await place.putNew(KEY_FILE, sealed)))
    throw placeTrouble(`Another machine has just set up ${place.label}.`, 'Run the same command again: it joins.');
  await place.putNew(MARKER, markerText());
  await place.flush();
  return new Vault(secrets);
}

export async function openVault(place: Place, opener: Opener): Promise<Vault> {
  const sealed = (await place.read([KEY_FILE])).get(KEY_FILE);
  if (!sealed)
    throw placeTrouble(
      `${place.label} has no ${KEY_FILE}, which everything there is encrypted with.`,
      'Bring it back from a backup, or copy it from another machine; without it nothing there can be read.',
    );
  let text: string;
  try {
    text = Buffer.from(await decryptWith(opener, sealed)).toString('utf8');
  } catch (error) {
    const [what, fix] =
      'passphrase' in opener
        ? ['The passphrase does not open', 'Give the one that the place was set up with, or its key file (--key-file).']
        : ['The key file does not open', 'Give the one that the place was set up with, or its passphrase.'];
    throw new CairnError('SECURITY_ERROR', `${what} ${place.label} (${messageOf(error)}).`, { cause: error, fix });
  }
  const secrets = secretsIn(text);
  if (!secrets) throw damaged('key', 'it does not hold what it should');
  if (await place.putNew(MARKER, markerText())) await place.flush();
  return new Vault(secrets);
}

const markerText = (): Uint8Array => Buffer.from(`${JSON.stringify({ format: FORMAT, version: VERSION })}\n`);

export function secretsIn(text: string): VaultSecrets | undefined {
  const value = parseJson(text);
  if (!isObject(value)) return undefined;
  const { identity, nameKey } = value;
  if (typeof identity !== 'string' || typeof nameKey !== 'string' || !/^[0-9a-f]{64}$/.test(nameKey)) return undefined;
  return { identity, nameKey };
}
