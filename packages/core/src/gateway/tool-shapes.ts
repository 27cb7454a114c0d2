import { FREE, kindsBy, listOf, members, free, object, SCHEMA, STORED, inline, type Kind, type Shape } from './shape.ts'

/* Tools that a request may offer: those that the agent runs itself, and opened ones of the endpoint. */

const aList = (kinds: Parameters<typeof kindsBy>[0], more: Parameters<typeof kindsBy>[1] = {}): Shape =>
  listOf({ text: (name) => ({ drop: `tool ${name}` }), object: { kinds: kindsBy(kinds, more), otherwise: 'drop', word: 'tool' } }, 'drop') // prettier-ignore

const chatFunction: Kind = members(
  {
    ...free('type', 'strict', 'cache_control', 'defer_loading'),
    function: object({ ...free('name', 'description', 'strict', 'cache_control'), parameters: SCHEMA }),
  },
  ['function'],
)

export const chatTools = aList(
  { function: chatFunction, custom: members(free('type', 'custom', 'cache_control'), ['custom']) },
  { untyped: chatFunction },
)

const ofOneTool = free('type', 'name', 'description', 'strict', 'async', 'defer_loading', 'allowed_callers')
const responsesFunction = members({ ...ofOneTool, parameters: SCHEMA, output_schema: SCHEMA }, ['name'])
const custom = members({ ...ofOneTool, format: FREE }, ['name'])
const client = { function: responsesFunction, custom, local_shell: members(free('type')) }

/** `file_search` and `mcp` cannot be opened: no list limits their reach. */
const webSearch: Kind = {
  ...members(
    free('type', 'external_web_access', 'filters', 'search_context_size', 'search_content_types', 'user_location'),
  ),
  needs: 'web_search',
}
const codeInterpreter: Kind = {
  ...members(
    {
      type: FREE,
      container: {
        text: () => ({ refuse: STORED }),
        object: members({ ...free('type', 'memory_limit'), file_ids: { refused: STORED } }),
      },
    },
    ['container'],
  ),
  needs: 'code_execution',
}
const imageGeneration: Kind = {
  ...members({
    ...free('type', 'action', 'background', 'input_fidelity', 'moderation', 'output_compression', 'output_format'),
    ...free('partial_images', 'quality', 'size'),
    input_image_mask: object({ image_url: inline, file_id: { refused: STORED } }),
  }),
  needs: 'image_generation',
}

export const responsesTools = aList(
  {
    ...client,
    apply_patch: members(free('type', 'allowed_callers')),
    // It searches the tools of the same request.
    tool_search: members({ ...free('type', 'execution', 'description'), parameters: SCHEMA }),
    namespace: members({ ...free('type', 'name', 'description'), tools: aList(client) }, ['tools']),
    code_interpreter: codeInterpreter,
    image_generation: imageGeneration,
  },
  { like: [[/^web_search(?:_preview)?(?:_\d{4}_\d\d_\d\d)?$/, webSearch]] },
)

const ofAnthropic = free('type', 'name', 'description', 'cache_control', 'strict', 'defer_loading', 'allowed_callers')
const own: Kind = members(
  { ...ofAnthropic, input_schema: SCHEMA, ...free('eager_input_streaming', 'input_examples') },
  ['name', 'input_schema'],
)
/** The endpoint knows their schemas; the agent runs them. */
const known = members({
  ...ofAnthropic,
  ...free('input_examples', 'max_characters', 'display_height_px', 'display_width_px', 'display_number', 'enable_zoom'),
})
const searchesItself = members(ofAnthropic)
const ofTheWeb = {
  ...ofAnthropic,
  ...free('max_uses', 'allowed_domains', 'blocked_domains', 'user_location', 'citations', 'max_content_tokens'),
  ...free('response_inclusion', 'use_cache'),
}
const LIKE: readonly (readonly [RegExp, Kind])[] = [
  [/^(?:bash|text_editor|memory|computer)_\d{8}$/, known],
  [/^tool_search_tool_(?:regex|bm25)(?:_\d{8})?$/, searchesItself],
  [/^web_search_\d{8}$/, { ...members(ofTheWeb), needs: 'web_search' }],
  [/^web_fetch_\d{8}$/, { ...members(ofTheWeb), needs: 'web_fetch' }],
  [/^code_execution_\d{8}$/, { ...members(ofAnthropic), needs: 'code_execution' }],
]

export const anthropicTools = aList({ custom: own }, { untyped: own, like: LIKE })

/** A tool that comes later in a conversation: its name, or the whole tool. */
export const laterTool: Shape = {
  object: {
    kinds: kindsBy(
      { custom: own, tool_reference: members(free('type', 'tool_name', 'name')) },
      { untyped: own, like: LIKE },
    ),
    otherwise: 'refuse',
    word: 'tool',
  },
}
