import { isHarmlessBeta } from './betas.ts'
import { FETCHED, FREE, free, kindsBy, listOf, members, object, SCHEMA, words, type Kind, type Kinds, type Members, type Shape } from './shape.ts' // prettier-ignore
import { anthropicTools, laterTool } from './tool-shapes.ts'

const cached = free('type', 'cache_control')
const text = members({ ...cached, ...free('text', 'citations') })

const kindOf = (kinds: Record<string, Kind>, word: string): Kinds => ({ kinds: kindsBy(kinds), otherwise: 'refuse', word }) // prettier-ignore

const data = members(free('type', 'media_type', 'data'))
/** The kinds `url` and `file` are deliberately missing. */
const source = (more: Record<string, Kind> = {}): Shape => ({
  text: () => ({ refuse: FETCHED }),
  object: kindOf({ base64: data, ...more }, 'source'),
})
const image = members({ ...cached, source: source(), transformations: FREE })
const document = members({
  ...cached,
  ...free('title', 'context', 'citations'),
  source: source({
    text: data,
    content: members({ type: FREE, content: listOf({ object: kindOf({ text, image }, 'content') }) }),
  }),
})
const result = members({ ...cached, ...free('source', 'title', 'citations'), content: listOf({ object: kindOf({ text }, 'content') }) }) // prettier-ignore
const reference = members({ ...cached, ...free('tool_name', 'name') })

const answered = free('tool_use_id', 'is_error', 'toolset_name', 'caller')
const used = members({ ...cached, ...free('id', 'name', 'input', 'caller', 'toolset_name') })
/** Results of an endpoint's tool: they come back unchanged. */
const found = (needs: NonNullable<Kind['needs']>): Kind => ({ ...members({ ...cached, ...answered, content: FREE }), needs }) // prettier-ignore

const inResult = { text, image, document, search_result: result, tool_reference: reference }
const blocks: Record<string, Kind> = {
  ...inResult,
  thinking: members(free('type', 'thinking', 'signature')),
  redacted_thinking: members(free('type', 'data')),
  tool_use: used,
  tool_result: members({ ...cached, ...answered, content: listOf({ object: kindOf(inResult, 'content') }) }),
  tool_addition: members({ ...cached, tool: laterTool }),
  tool_removal: members({ ...cached, tool: laterTool }),
  server_tool_use: used,
  tool_search_tool_result: members({ ...cached, ...answered, content: FREE }),
  web_search_tool_result: found('web_search'),
  web_fetch_tool_result: found('web_fetch'),
  code_execution_tool_result: found('code_execution'),
  bash_code_execution_tool_result: found('code_execution'),
  text_editor_code_execution_tool_result: found('code_execution'),
}

const output = object({ ...free('effort', 'task_budget'), format: SCHEMA })
const message = members({
  ...free('role', 'clear_at'),
  content: listOf({ object: kindOf(blocks, 'content') }),
  output_config: output,
})

const edit = members(free('type', 'keep', 'trigger', 'clear_at_least', 'clear_tool_inputs', 'exclude_tools'))

/** The list for Anthropic's messages, and for counting their tokens. */
export const messagesShape: Members = members({
  ...free('model', 'max_tokens', 'stream', 'stop_sequences', 'temperature', 'top_p', 'top_k', 'cache_control'),
  ...free('thinking', 'tool_choice'),
  system: listOf({ object: kindOf({ text }, 'content') }),
  messages: listOf({ object: message }),
  tools: anthropicTools,
  output_config: output,
  output_format: SCHEMA,
  // Edits that drop parts of the same request. A summary by the endpoint would be a call that its usage does not count.
  context_management: object({
    edits: listOf(
      {
        object: {
          kinds: kindsBy({}, { like: [[/^clear_(?:thinking|tool_uses)_\d{8}$/, edit]] }),
          otherwise: 'drop',
          word: 'context edit',
        },
      },
      'drop',
    ),
  }),
  betas: words(isHarmlessBeta, 'beta'),
  anthropic_beta: words(isHarmlessBeta, 'beta'),
  mcp_servers: { refused: 'the endpoint would connect to them' },
})
