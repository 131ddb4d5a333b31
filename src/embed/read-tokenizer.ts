// Reads the tokenizer that comes with a model: tokenizer.json (Hugging Face) or vocab.txt (one piece a line), WordPiece in both.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError, isSystemError } from '../errors.ts';
import type { Folding, SpecialTokens, Tokenizer, Vocabulary } from './wordpiece.ts';

type TokenizerJson = {
  readonly model?: { readonly type?: unknown; readonly vocab?: unknown; readonly continuing_subword_prefix?: unknown };
  readonly normalizer?: { readonly type?: unknown; readonly lowercase?: unknown; readonly strip_accents?: unknown };
};

const MAX_FILE = 64 * 1024 * 1024;

/** The folder's tokenizer.json, else its vocab.txt. */
export function readTokenizer(folder: string, maxTokens: number): { tokenizer: Tokenizer; bytes: Buffer } {
  for (const [name, parse] of [
    ['tokenizer.json', parseTokenizerJson],
    ['vocab.txt', parseVocabulary],
  ] as const) {
    const file = path.join(folder, name);
    const bytes = contentOf(file);
    if (bytes) return { tokenizer: { ...parse(bytes.toString('utf8'), file), maxTokens }, bytes };
  }
  throw unsupported(folder, 'there is neither tokenizer.json nor vocab.txt');
}

export function parseTokenizerJson(text: string, file: string): Omit<Tokenizer, 'maxTokens'> {
  const { model, normalizer } = parsedJson(text, file);
  const vocab = model?.vocab;
  if (typeof vocab !== 'object' || vocab === null || Array.isArray(vocab))
    throw unsupported(file, 'it is not WordPiece');
  if (model?.type !== undefined && model.type !== 'WordPiece') throw unsupported(file, `it is ${String(model.type)}`);
  if ((model?.continuing_subword_prefix ?? '##') !== '##') throw unsupported(file, 'its pieces are not marked with ##');
  if (normalizer && normalizer.type !== 'BertNormalizer') throw unsupported(file, 'its normalizer is not that of BERT');
  const lowercase = normalizer?.lowercase !== false;
  const stripAccents = typeof normalizer?.strip_accents === 'boolean' ? normalizer.strip_accents : lowercase;
  const pieces = new Map(Object.entries(vocab as Record<string, number>));
  return tokenizerOf(pieces, { lowercase, stripAccents }, file);
}

function parseVocabulary(text: string, file: string): Omit<Tokenizer, 'maxTokens'> {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  if (lines.at(-1) === '') lines.pop();
  return tokenizerOf(new Map(lines.map((line, id) => [line, id])), { lowercase: true, stripAccents: true }, file);
}

function tokenizerOf(
  pieces: ReadonlyMap<string, number>,
  folding: Folding,
  file: string,
): Omit<Tokenizer, 'maxTokens'> {
  let longest = 0;
  for (const [piece, id] of pieces) {
    if (!Number.isSafeInteger(id) || id < 0)
      throw unsupported(file, `the id of ${JSON.stringify(piece)} is not a number`);
    longest = Math.max(longest, piece.length);
  }
  const need = (piece: string): number => {
    const id = pieces.get(piece);
    if (id === undefined) throw unsupported(file, `${piece} is missing`);
    return id;
  };
  const special: SpecialTokens = { unknown: need('[UNK]'), start: need('[CLS]'), end: need('[SEP]') };
  const vocabulary: Vocabulary = { idOf: (piece) => pieces.get(piece), longest };
  return { vocabulary, folding, special };
}

function parsedJson(text: string, file: string): TokenizerJson {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch (error) {
    throw unsupported(file, 'it is not JSON', error);
  }
  throw unsupported(file, 'it is not a JSON object');
}

function contentOf(file: string): Buffer | undefined {
  try {
    if (fs.statSync(file).size > MAX_FILE) throw unsupported(file, 'it is too large');
    return fs.readFileSync(file);
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

const unsupported = (file: string, why: string, cause?: unknown): CairnError =>
  new CairnError('CONFIG_ERROR', `The tokenizer ${file} cannot be used: ${why}.`, {
    cause,
    fix: 'Set embeddings.model to a folder with a BERT-like model (docs/EMBEDDINGS.md), or leave it empty.',
  });
