/** The window of an unknown model: most models have at least this, with room for an answer. */
export const DEFAULT_WINDOW = 100_000

/** The windows of models in tokens, for question and answer together, by the endpoint's name. */
export type ModelWindows = Readonly<Record<string, number>>

/**
 * From the makers' pages on 2026-11-23. By the beginning of a model's name; the longest match counts. If a maker limits
 * questions more narrowly than the whole, the table has that limit; if a larger window is only on request, it has the
 * default. Too small a number costs a handover, too large a number a refused call.
 */
export const knownWindows: ModelWindows = {
  'claude-': 200_000,
  'claude-haiku-5-5': 1_000_000,
  'claude-opus-4-6': 1_000_000,
  'claude-opus-4-7': 1_000_000,
  'claude-opus-4-8': 1_000_000,
  'claude-opus-5': 1_000_000,
  'claude-sonnet-4-6': 1_000_000,
  'claude-sonnet-5': 1_000_000,
  codestral: 128_000,
  'deepseek-': 128_000,
  devstral: 128_000,
  'gemini-': 1_000_000,
  'glm-4.5': 128_000,
  'glm-4.6': 200_000,
  'glm-4.7': 200_000,
  'glm-5': 200_000,
  'gpt-3.5': 16_385,
  'gpt-4': 8_192,
  'gpt-4-turbo': 128_000,
  'gpt-4.1': 1_000_000,
  'gpt-4o': 128_000,
  'gpt-5': 272_000,
  'gpt-5-chat': 128_000,
  'gpt-5.1-chat': 128_000,
  'gpt-5.2-chat': 128_000,
  'gpt-5.3-chat': 128_000,
  'gpt-oss': 128_000,
  'grok-4': 256_000,
  'grok-code': 256_000,
  'kimi-k2': 128_000,
  'llama-3.1': 128_000,
  'llama-3.3': 128_000,
  'minimax-m2': 196_000,
  'mistral-large': 128_000,
  o1: 200_000,
  'o1-mini': 128_000,
  o3: 200_000,
  'o4-mini': 200_000,
  qwen3: 128_000,
  'qwen3-coder': 256_000,
}

/**
 * The window of a model, in tokens. `own` is the server's table: a name there is exact, and overrules this table. A
 * router's prefix (`openai/gpt-5`) does not count, nor do upper and lower case.
 */
export function windowOf(model: string, own: ModelWindows = {}): number {
  if (Object.hasOwn(own, model)) return own[model]!
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase()
  const [longest] = Object.keys(knownWindows)
    .filter((known) => name.startsWith(known))
    .toSorted((a, b) => b.length - a.length)
  return longest === undefined ? DEFAULT_WINDOW : knownWindows[longest]!
}
