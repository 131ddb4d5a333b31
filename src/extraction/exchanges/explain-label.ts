// Why a statement got its label: asks the model again about the exchange that it stands in, and names what spoke for and against. Slow beside
// reading, so only for those who ask.

import type { Turn } from '../../model/trace.ts';
import { Features } from '../labels/features.ts';
import { type Label, reasonsFor, verdictOn } from '../labels/model.ts';
import { type Exchange, speechesOf } from './exchange.ts';

export type LabelReasons = {
  readonly label: Label;
  readonly confidence: number;
  readonly worth: number;
  /** What spoke for it (above 0) and against it, the strongest first. */
  readonly reasons: readonly { readonly name: string; readonly weight: number }[];
};

/** `text`: the idea, which may hold several statements of the line behind what stands above it; the longest of them is explained. */
export function explainLabel(
  exchange: Exchange,
  next: Turn | undefined,
  { line, text }: { readonly line: number; readonly text: string },
): LabelReasons | undefined {
  const plain = oneLine(text);
  for (const speech of speechesOf(exchange, next)) {
    if (speech.turn.line !== line) continue;
    const inside = speech.statements
      .map((statement, at) => ({ at, said: oneLine(speech.text.slice(statement.start, statement.end)) }))
      .filter(({ said }) => said !== '' && plain.includes(said))
      .sort((a, b) => b.said.length - a.said.length)[0];
    if (!inside) continue;
    const features = new Features(speech);
    const { label, confidence, worth } = verdictOn(features, inside.at);
    return { label, confidence, worth, reasons: reasonsFor(features, inside.at, label) };
  }
  return undefined;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
