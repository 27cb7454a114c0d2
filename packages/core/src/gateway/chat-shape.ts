import { FREE, free, inline, inlineOrBase64, kindsBy, listOf, members, object, SCHEMA, STORED, type Kind, type Members, type Shape } from './shape.ts' // prettier-ignore
import { chatTools } from './tool-shapes.ts'

const text = members(free('type', 'text', 'cache_control', 'prompt_cache_breakpoint', 'citations'))

const parts: Record<string, Kind> = {
  text,
  refusal: members(free('type', 'refusal')),
  thinking: members(free('type', 'thinking', 'signature')),
  reasoning: members(free('type', 'text', 'reasoning')),
  image_url: members({
    ...free('type', 'cache_control', 'detail', 'prompt_cache_breakpoint'),
    image_url: { ...inline, ...object({ url: inline, ...free('detail', 'format') }) },
  }),
  input_audio: members({
    ...free('type', 'cache_control'),
    input_audio: object({ data: inlineOrBase64, format: FREE }),
  }),
  file: members({
    ...free('type', 'cache_control'),
    file: object({ file_data: inlineOrBase64, ...free('filename', 'format'), file_id: { refused: STORED } }),
  }),
}

const content: Shape = listOf({ object: { kinds: kindsBy(parts), otherwise: 'refuse', word: 'content' } })

/** Earlier answers of the model, which it gets back unchanged. */
const said = free(
  'reasoning',
  'reasoning_content',
  'reasoning_details',
  'reasoning_text',
  'reasoning_opaque',
  'refusal',
)

const message = members({
  ...free('role', 'name', 'tool_call_id', 'function_call', 'annotations', 'prefix', 'partial', 'cache_control'),
  ...said,
  content,
  audio: { refused: STORED },
  tool_calls: listOf(object(free('id', 'type', 'index', 'function', 'custom', 'extra_content'))),
})

const choice: Shape = {
  object: {
    kinds: kindsBy({
      function: members(free('type', 'function')),
      custom: members(free('type', 'custom')),
      allowed_tools: members({ type: FREE, allowed_tools: object({ mode: FREE, tools: chatTools }) }),
    }),
    otherwise: 'drop',
    word: 'tool choice',
  },
}

/** Values for a model's template. Others are left out: some servers take the whole template, or tools of their own. */
const forTemplate = (name: string): Shape => ({
  text: () => ({ drop: name }),
  ...object({
    ...free('enable_thinking', 'thinking', 'thinking_mode', 'thinking_budget', 'clear_thinking', 'preserve_thinking'),
    ...free('reasoning_effort', 'low_effort', 'truncate_history_thinking'),
  }),
})

/** The list for chat completions, with harmless extensions of servers with the same API. */
export const chatShape: Members = members({
  ...free('model', 'stream', 'max_tokens', 'max_completion_tokens', 'stop', 'seed', 'logprobs', 'top_logprobs'),
  ...free('temperature', 'top_p', 'top_k', 'top_a', 'min_p', 'typical_p', 'logit_bias', 'min_tokens', 'ignore_eos'),
  ...free('presence_penalty', 'frequency_penalty', 'repetition_penalty', 'length_penalty', 'stop_token_ids'),
  ...free('reasoning_effort', 'reasoning', 'include_reasoning', 'reasoning_format', 'reasoning_split', 'verbosity'),
  ...free('thinking', 'enable_thinking', 'thinking_budget', 'think'),
  chat_template_kwargs: forTemplate('chat_template_kwargs'),
  chat_template_args: forTemplate('chat_template_args'),
  // Each further answer costs as much as a call, and no agent reads it.
  n: { only: ['1'] },
  ...free('prompt_cache_key', 'prompt_cache_retention', 'parallel_tool_calls', 'tool_stream', 'function_call'),
  stream_options: object(free('include_usage', 'include_obfuscation', 'continuous_usage_stats')),
  usage: object(free('include')),
  messages: listOf({ object: message }),
  prediction: object({ type: FREE, content }),
  response_format: SCHEMA,
  tools: chatTools,
  tool_choice: choice,
  functions: listOf(object({ ...free('name', 'description'), parameters: SCHEMA })),
  // The default of this API is not to store.
  store: { only: ['false'] },
  web_search_options: { needs: 'web_search', may: FREE },
})
