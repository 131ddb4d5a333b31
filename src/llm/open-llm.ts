// Opens the model that the settings name, with the ledger around it. Providers are imported late: most users have none.

import type { Settings } from '../config/settings/settings.ts';
import type { Llm, ProviderOptions } from './llm.ts';

export type OpenLlmOptions = {
  readonly env: NodeJS.ProcessEnv;
  /** `~/.cairn/ledger.json`. */
  readonly ledgerFile: string;
  readonly now: () => Date;
  readonly claudeBinary?: string;
};

/** `undefined` for the provider `none`. Throws CONFIG_ERROR where the settings cannot work. */
export async function openLlm(settings: Settings['llm'], options: OpenLlmOptions): Promise<Llm | undefined> {
  if (settings.provider === 'none') return undefined;
  const { env, ledgerFile, now, claudeBinary } = options;
  const llm = await openProvider(settings.provider, { settings, env, ...(claudeBinary ? { claudeBinary } : {}) });
  const [{ metered }, { openLedger }] = await Promise.all([import('./metered.ts'), import('./ledger.ts')]);
  const limits = { dailyCalls: settings.daily_calls, dailyTokens: settings.daily_tokens };
  return metered(llm, openLedger(ledgerFile, now), limits);
}

async function openProvider(
  provider: Exclude<Settings['llm']['provider'], 'none'>,
  options: ProviderOptions,
): Promise<Llm> {
  switch (provider) {
    case 'claude':
      return (await import('./claude.ts')).openClaude(options);
    case 'anthropic':
      return (await import('./anthropic.ts')).openAnthropic(options);
    case 'openai':
      return (await import('./openai.ts')).openOpenai(options);
  }
}
