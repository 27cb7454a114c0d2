import { at, count, shown, textBlocks, textOf, type Json } from './json.ts'
import { isObject } from '../text/json-object.ts'
import type { AgentNews, AgentPreset } from './preset.ts'

/** Claude Code, https://docs.claude.com/claude-code. Its permission prompts are off: the container is the sandbox. */
export const claude: AgentPreset = {
  package: '@anthropic-ai/claude-code',
  version: '2.1.332',
  api: 'messages',
  program: 'claude',
  call: ({ program, linkUrl, model, extra, prompt, continues }) => ({
    argv: [
      program,
      '-p',
      ...(model === null ? [] : ['--model', model]),
      '--output-format',
      'stream-json',
      '--verbose',
      '--dangerously-skip-permissions',
      ...(continues ? ['--continue'] : []),
      ...extra,
    ],
    env: {
      ANTHROPIC_BASE_URL: linkUrl,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    },
    files: {},
    stdin: prompt,
  }),
  translator: () => translate,
}

function translate(line: Json): AgentNews[] | null {
  const { type, subtype, message, parent_tool_use_id: parent } = line
  if (type === 'assistant' && isObject(message)) return assistant(message, Boolean(parent))
  if (type === 'user' && isObject(message)) return results(message)
  if (type === 'result' && typeof subtype === 'string') return over(line)
  if (type === 'system' && typeof subtype === 'string') return []
  // Every line has these two fields. People need no line of a type that is new in a version, and no sign of life
  // (`tool_progress`).
  return typeof type === 'string' && isText(line['session_id']) && isText(line['uuid']) ? [] : null
}

const isText = (value: unknown): boolean => textOf(value) !== null

/** Claude Code's model name for an answer that is its own, because the API refused. */
const SYNTHETIC = '<synthetic>'

/** Words of a sub-agent do not count as the agent's own text. */
function assistant(message: Json, ofSubAgent: boolean): AgentNews[] {
  if (message['model'] === SYNTHETIC)
    return [{ type: 'warning', text: textBlocks(message['content']) ?? 'Claude Code reports an error' }]
  const said = ofSubAgent ? null : textBlocks(message['content'])
  const news: AgentNews[] = said === null ? [] : [{ type: 'message', text: said }]
  for (const block of blocks(message)) {
    if (at(block, 'type') !== 'tool_use') continue
    const [call, tool] = [shown(at(block, 'id')), shown(at(block, 'name'))]
    news.push({ type: 'tool_call', call, tool, arguments: shown(at(block, 'input')) })
  }
  return news
}

const blocks = (message: Json): unknown[] => (Array.isArray(message['content']) ? message['content'] : [])

const results = (message: Json): AgentNews[] =>
  blocks(message)
    .filter((block) => at(block, 'type') === 'tool_result')
    .map((block) => {
      const content = at(block, 'content')
      return {
        type: 'tool_result',
        call: shown(at(block, 'tool_use_id')),
        ok: at(block, 'is_error') !== true,
        text: textBlocks(content) ?? '',
      }
    })

function over(line: Json): AgentNews[] {
  const failed = line['is_error'] === true
  const usage = line['usage']
  const cached = count(at(usage, 'cache_creation_input_tokens')) + count(at(usage, 'cache_read_input_tokens'))
  return [
    {
      type: 'usage',
      model: null,
      input: count(at(usage, 'input_tokens')) + cached,
      output: count(at(usage, 'output_tokens')),
    },
    { type: 'over', how: failed ? 'failed' : 'success', text: failed ? textOf(line['result']) : null },
  ]
}
