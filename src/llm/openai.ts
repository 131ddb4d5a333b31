// OpenAI's chat completions and whatever speaks the same: llama.cpp, Ollama, vLLM and most hosted services.

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

const DEFAULT_URL = 'https://api.openai.com/v1';
const DEFAULT_MODEL = 'gpt-4.1-mini';

export function openOpenai({ settings, env }: ProviderOptions): Llm {
  const endpoint = checkBaseUrl(settings.base_url || DEFAULT_URL);
  const isOwn = endpoint.url === DEFAULT_URL;
  if (!isOwn && !settings.model) {
    throw new CairnError('CONFIG_ERROR', `llm.base_url is ${endpoint.url}, but llm.model names no model of it.`, {
      fix: 'cairn config set --user llm.model NAME',
    });
  }
  const key = env.OPENAI_API_KEY?.trim();
  // A model on this machine usually asks for none.
  if (!key && !endpoint.loopback) {
    throw new CairnError('CONFIG_ERROR', 'llm.provider is openai, but OPENAI_API_KEY is not set.', {
      fix: 'Set OPENAI_API_KEY, or `cairn config set --user llm.provider none`.',
    });
  }
  const model = settings.model || DEFAULT_MODEL;
  const name = `openai:${model}`;
  return {
    name,
    costs: { overheadTokens: 20, mostRequests: 1 },
    async complete({ system, prompt, maxTokens, signal }) {
      const messages = [
        { role: 'system', content: system },
        { role: 'user', content: prompt },
      ];
      const answer = await postJson({
        name,
        url: `${endpoint.url}/chat/completions`,
        headers: key ? { authorization: `Bearer ${key}` } : {},
        // OpenAI's newer models take only the one name, most others only the old one.
        body: { model, messages, [isOwn ? 'max_completion_tokens' : 'max_tokens']: maxTokens },
        timeoutMs: settings.timeout_seconds * 1000,
        signal,
      });
      return replyOf(answer, name, { system, prompt });
    },
  };
}

function replyOf(answer: JsonObject, name: string, asked: Pick<LlmRequest, 'system' | 'prompt'>): LlmReply {
  const choice = Array.isArray(answer.choices) && isObject(answer.choices[0]) ? answer.choices[0] : {};
  const message = isObject(choice.message) ? choice.message : {};
  const text = typeof message.content === 'string' ? message.content : '';
  const usage = isObject(answer.usage) ? answer.usage : {};
  const use = {
    // Some compatible endpoints count nothing; then it is counted here, rather too high than too low.
    tokensIn: tokenCount(usage.prompt_tokens) || mostTokens(asked.system + asked.prompt),
    tokensOut: tokenCount(usage.completion_tokens) || mostTokens(text),
  };
  const declined = typeof message.refusal === 'string' && message.refusal !== '';
  if (declined || choice.finish_reason === 'content_filter')
    throw new LlmError('refused', `${name} declined to answer.`, { use });
  if (choice.finish_reason === 'length') throw new LlmError('cut', `The answer of ${name} was too long.`, { use });
  if (text.trim() === '') throw new LlmError('garbage', `${name} answered without any text.`, { use });
  return { text, ...use };
}
