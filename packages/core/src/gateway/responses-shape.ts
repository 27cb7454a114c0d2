import { FREE, free, inline, inlineOrBase64, kindsBy, listOf, members, object, SCHEMA, STORED, words, type Kind, type Members, type Shape } from './shape.ts' // prettier-ignore
import { responsesTools } from './tool-shapes.ts'

const textPart = members(free('type', 'text', 'annotations', 'logprobs', 'prompt_cache_breakpoint'))
const image = members({
  ...free('type', 'detail', 'prompt_cache_breakpoint'),
  image_url: { ...inline, ...object({ url: inline, detail: FREE }) },
  file_id: { refused: STORED },
})

const parts: Record<string, Kind> = {
  input_text: textPart,
  output_text: textPart,
  text: textPart,
  summary_text: textPart,
  reasoning_text: textPart,
  refusal: members(free('type', 'refusal')),
  encrypted_content: members(free('type', 'encrypted_content')),
  input_image: image,
  computer_screenshot: image,
  input_file: members({
    ...free('type', 'filename', 'detail', 'prompt_cache_breakpoint'),
    file_data: inlineOrBase64,
    file_url: { refused: 'the endpoint would fetch it: send the file itself' },
    file_id: { refused: STORED },
  }),
  input_audio: members({ type: FREE, input_audio: object({ data: inlineOrBase64, format: FREE }) }),
}
const part: Shape = { object: { kinds: kindsBy(parts), otherwise: 'refuse', word: 'content' } }
const content = listOf(part)

/** Common members of items: their names, and who wrote them. */
const item = (more: Parameters<typeof members>[0], required?: readonly string[]): Kind =>
  members({ ...free('type', 'id', 'status', 'role', 'phase'), ...more }, required) // prettier-ignore

const message = item({ content, name: FREE }, ['content'])
const called = free('call_id', 'name', 'namespace', 'caller', 'async', 'execution')
const output: Shape = { ...content, object: part.object! }

const items: Record<string, Kind> = {
  message,
  agent_message: item({ content, ...free('author', 'recipient') }),
  reasoning: item({ summary: content, content, encrypted_content: FREE }),
  function_call: item({ ...called, arguments: FREE }),
  function_call_output: item({ ...called, output }),
  custom_tool_call: item({ ...called, input: FREE }),
  custom_tool_call_output: item({ ...called, output }),
  local_shell_call: item({ ...called, action: FREE }),
  local_shell_call_output: item({ ...called, output }),
  apply_patch_call: item({ ...called, operation: FREE }),
  apply_patch_call_output: item({ ...called, output }),
  tool_search_call: item({ ...called, arguments: FREE }),
  tool_search_output: item({ ...called, tools: responsesTools }),
  additional_tools: item({ tools: responsesTools }),
  configuration_update: item({ reasoning: FREE, text: object({ format: SCHEMA, verbosity: FREE }) }),
  compaction: item(free('encrypted_content')),
  compaction_summary: item(free('encrypted_content')),
  context_compaction: item(free('encrypted_content')),
  compaction_trigger: item({}),
  // An earlier call of an endpoint's tool: there is one only if the tool was opened.
  web_search_call: { ...item(free('action', 'results')), needs: 'web_search' },
  code_interpreter_call: { ...item(free('code', 'outputs')), needs: 'code_execution' },
  image_generation_call: {
    ...item(free('result', 'revised_prompt', 'action', 'background', 'output_format', 'quality', 'size')),
    needs: 'image_generation',
  },
}

const INCLUDED = new Set([
  'reasoning.encrypted_content',
  'message.output_text.logprobs',
  'web_search_call.action.sources',
])

const choice: Shape = {
  object: {
    kinds: kindsBy(
      {
        function: members(free('type', 'name', 'namespace')),
        custom: members(free('type', 'name', 'namespace')),
        apply_patch: members(free('type')),
        tool_search: members(free('type')),
        allowed_tools: members({ ...free('type', 'mode'), tools: listOf(object(free('type', 'name', 'namespace'))) }),
      },
      {
        like: [[/^web_search(?:_preview)?(?:_\d{4}_\d\d_\d\d)?$/, { ...members(free('type')), needs: 'web_search' }]],
      },
    ),
    otherwise: 'drop',
    word: 'tool choice',
  },
}

export const responsesShape: Members = members({
  instructions: {},
  ...free('model', 'stream', 'max_output_tokens', 'max_tool_calls', 'parallel_tool_calls'),
  ...free('temperature', 'top_p', 'top_k', 'top_logprobs', 'truncation', 'reasoning'),
  ...free('prompt_cache_key', 'prompt_cache_retention'),
  // An item without a type is a message, or a reference to a stored one.
  input: listOf({ object: { kinds: kindsBy(items, { untyped: message }), otherwise: 'refuse', word: 'item' } }),
  text: object({ format: SCHEMA, verbosity: FREE }),
  stream_options: object(free('include_obfuscation')),
  include: words((word) => INCLUDED.has(word), 'include'),
  tools: responsesTools,
  tool_choice: choice,
  previous_response_id: { refused: STORED },
  conversation: { refused: STORED },
  prompt: { refused: STORED },
  store: { only: ['false'] },
})
