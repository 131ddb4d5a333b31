// Anthropic's Messages API, spoken over plain fetch: one request needs no client library.

import { CairnError } from '../errors.ts';
import { isObject, type JsonObject } from '../model/json.ts';
import { checkBaseUrl, postJson } from './endpoint.ts';
import {
  type Llm,
  LlmError,
  type LlmReply,
  type LlmRequest,
  mostTokens,
  type ProviderOptions,
  tokenCount,
} from './llm.ts';

const DEFAULT_URL = 'https://api.anthropic.com';
const DEFAULT_MODEL = 'claude-haiku-5-5';
const API_VERSION = '2023-06-01';

export function openAnthropic({ settings, env }: ProviderOptions): Llm {
  const endpoint = checkBaseUrl(settings.base_url || DEFAULT_URL);
  const key = env.ANTHROPIC_API_KEY?.trim();
  if (!key) {
    throw new CairnError('CONFIG_ERROR', 'llm.provider is anthropic, but ANTHROPIC_API_KEY is not set.', {
      fix: 'Set ANTHROPIC_API_KEY, or `cairn config set --user llm.provider claude` to use your own Claude Code.',
    });
  }
  const model = settings.model || DEFAULT_MODEL;
  const name = `anthropic:${model}`;
  // Both `https://host` and `https://host/v1` are what people write.
  const url = `${endpoint.url.replace(/\/v1$/, '')}/v1/messages`;
  return {
    name,
    costs: { overheadTokens: 20, mostRequests: 1 },
    async complete({ system, prompt, maxTokens, signal }) {
      const answer = await postJson({
        name,
        url,
        headers: { 'x-api-key': key, 'anthropic-version': API_VERSION },
        body: { model, max_tokens: maxTokens, system, messages: [{ role: 'user', content: prompt }] },
        timeoutMs: settings.timeout_seconds * 1000,
        signal,
      });
      return replyOf(answer, name, { system, prompt });
    },
  };
}

function replyOf(answer: JsonObject, name: string, asked: Pick<LlmRequest, 'system' | 'prompt'>): LlmReply {
  const blocks = Array.isArray(answer.content) ? answer.content.filter(isObject) : [];
  const text = blocks
    .map((block) => (block.type === 'text' && typeof block.text === 'string' ? block.text : ''))
    .join('');
  const usage = isObject(answer.usage) ? answer.usage : {};
  const counted =
    tokenCount(usage.input_tokens) +
    tokenCount(usage.cache_creation_input_tokens) +
    tokenCount(usage.cache_read_input_tokens);
  const use = {
    tokensIn: counted || mostTokens(asked.system + asked.prompt),
    tokensOut: tokenCount(usage.output_tokens) || mostTokens(text),
  };
  if (answer.stop_reason === 'refusal') throw new LlmError('refused', `${name} declined to answer.`, { use });
  if (answer.stop_reason === 'max_tokens') throw new LlmError('cut', `The answer of ${name} was too long.`, { use });
  if (text.trim() === '') throw new LlmError('garbage', `${name} answered without any text.`, { use });
  return { text, ...use };
}
