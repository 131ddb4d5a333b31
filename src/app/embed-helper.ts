// A process that makes vectors and nothing else: told once which model, then texts, over the channel that it was started with. It ends
// with that channel, so nobody who is killed leaves one behind.

import type { Settings } from '../config/settings/settings.ts';
import type { Embedded } from '../embed/embedder.ts';
import { CairnError, messageOf } from '../errors.ts';

/** Of one text; with its tokens where the model gives them. */
export type Made = Pick<Embedded, 'vector'> & Partial<Pick<Embedded, 'tokens'>>;

/** What a helper is told. */
export type ToHelper =
  | { readonly open: Settings['embeddings']; readonly cacheDir: string | undefined }
  | { readonly id: number; readonly texts: readonly string[] };

/** What it says. */
export type FromHelper =
  | { readonly model: string; readonly dimensions: number; readonly givesTokens: boolean }
  | { readonly id: number; readonly made: readonly Made[] }
  | { readonly id?: number; readonly failed: { code: string; message: string; fix?: string | undefined } };

/** Returns when the channel is closed. */
export async function helpEmbedding(env: NodeJS.ProcessEnv): Promise<void> {
  const { openEmbedder } = await import('../embed/open-embedder.ts');
  const say = (message: FromHelper): void => void process.send?.(message);
  let embedder: Awaited<ReturnType<typeof openEmbedder>>;
  /** One at a time, in the order in which they came. */
  let last: Promise<void> = Promise.resolve();
  const answer = async (message: ToHelper): Promise<void> => {
    try {
      if ('open' in message) {
        embedder = await openEmbedder(message.open, { cacheDir: message.cacheDir, env });
        if (!embedder) throw new CairnError('CONFIG_ERROR', 'There is no model to make vectors with.');
        const { model, dimensions } = embedder;
        say({ model, dimensions, givesTokens: embedder.embedTokens !== undefined });
      } else if (embedder) {
        const made =
          (await embedder.embedTokens?.(message.texts)) ??
          (await embedder.embed(message.texts)).map((vector) => ({ vector }));
        say({ id: message.id, made });
      }
    } catch (error) {
      const known = error instanceof CairnError ? error : undefined;
      const failed = { code: known?.code ?? 'IO_ERROR', message: messageOf(error), fix: known?.fix };
      say('id' in message ? { id: message.id, failed } : { failed });
    }
  };
  await new Promise<void>((resolve) => {
    process.on('message', (message: ToHelper) => {
      last = last.then(() => answer(message));
    });
    process.once('disconnect', resolve);
  });
}
