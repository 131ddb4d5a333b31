// The age format (age-encryption.org), by the package of its author. Loaded when something is encrypted or read: nothing but sync
// needs it.

import { CairnError, messageOf } from '../errors.ts';

type Age = typeof import('age-encryption');

let loaded: Promise<Age> | undefined;

function age(): Promise<Age> {
  loaded ??= import('age-encryption').catch((error: unknown) => {
    loaded = undefined;
    throw new CairnError('IO_ERROR', `The package age-encryption cannot be loaded: ${messageOf(error)}`, {
      cause: error,
      fix: 'Install Cairn anew: sync needs it to encrypt.',
    });
  });
  return loaded;
}

/** What opens something: a passphrase, or the secret keys of a key file. */
export type Opener = { readonly passphrase: string } | { readonly identities: readonly string[] };

export const newIdentity = async (): Promise<string> => (await age()).generateX25519Identity();

export const recipientOf = async (identity: string): Promise<string> => (await age()).identityToRecipient(identity);

/** `workFactor`: the cost of guessing a passphrase, as age has it; lower ones are for tests. */
export async function encryptFor(opener: Opener, bytes: Uint8Array, workFactor?: number): Promise<Uint8Array> {
  const { Encrypter } = await age();
  const encrypter = new Encrypter();
  if ('passphrase' in opener) {
    encrypter.setPassphrase(opener.passphrase);
    if (workFactor !== undefined) encrypter.setScryptWorkFactor(workFactor);
  } else for (const identity of opener.identities) encrypter.addRecipient(await recipientOf(identity));
  return encrypter.encrypt(bytes);
}

export async function encryptTo(recipient: string, bytes: Uint8Array): Promise<Uint8Array> {
  const { Encrypter } = await age();
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return encrypter.encrypt(bytes);
}

/** Throws what the package throws: a wrong key and damaged bytes are for the caller to name. */
export async function decryptWith(opener: Opener, bytes: Uint8Array): Promise<Uint8Array> {
  const { Decrypter } = await age();
  const decrypter = new Decrypter();
  if ('passphrase' in opener) decrypter.addPassphrase(opener.passphrase);
  else for (const identity of opener.identities) decrypter.addIdentity(identity);
  return decrypter.decrypt(bytes);
}

/** The secret keys in a file as `age-keygen` writes it: one to a line, comments aside. */
export function identitiesIn(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => /^AGE-SECRET-KEY-1[0-9A-Z]{40,80}$/i.test(line));
}
