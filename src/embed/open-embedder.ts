// From the settings to an embedder. Each kind is loaded only when it is wanted: they are large, and most commands need none.

import type { Settings } from '../config/settings/settings.ts';
import type { Embedder } from './embedder.ts';

export type OpenEmbedderOptions = {
  /** Where models are kept once they are made; a folder of the user. */
  readonly cacheDir?: string | undefined;
  /** The caller's environment: only config.ts reads the real one. */
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** `undefined` for `none`. Throws a CairnError with a remedy where the one that is set cannot work here. */
export async function openEmbedder(
  settings: Settings['embeddings'],
  { cacheDir, env }: OpenEmbedderOptions,
): Promise<Embedder | undefined> {
  switch (settings.provider) {
    case 'none':
      return undefined;
    case 'openai': {
      const { openOpenaiEmbedder } = await import('./openai-embedder.ts');
      return openOpenaiEmbedder(settings, env.OPENAI_TOKEN_MEMORY_EMBEDDINGS || env.OPENAI_API_KEY);
    }
    case 'local': {
      const { openFolderModel, openMinilm } = await import('./local-embedder.ts');
      return settings.model === '' ? openMinilm({ cacheDir }) : openFolderModel(settings.model);
    }
  }
}
