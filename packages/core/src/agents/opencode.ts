import { at, count, isObject, shown, textOf, type Json } from './json.ts'
import type { AgentNews, AgentPreset } from './preset.ts'

/** opencode, https://opencode.ai. */
export const opencode: AgentPreset = {
  title: 'opencode',
  package: 'opencode-ai',
  version: '1.18.33',
  api: 'chat',
  program: 'opencode',
  call: ({ program, linkUrl, model, extra, prompt }) => {
    const name = model ?? 'default'
    return {
      argv: [program, 'run', '--format', 'json', '-m', `beadloom/${name}`, ...extra, prompt],
      env: { OPENCODE_DISABLE_AUTOUPDATE: '1' },
      files: { '.config/opencode/opencode.json': JSON.stringify(configuration(linkUrl, name), null, 2) },
      stdin: null,
    }
  },
  translator: () => translate,
}

const configuration = (linkUrl: string, model: string): Json => ({
  autoupdate: false,
  share: 'disabled',
  permission: 'allow',
  provider: {
    beadloom: {
      npm: '@ai-sdk/openai-compatible',
      name: 'beadloom',
      options: { baseURL: `${linkUrl}/v1`, apiKey: 'beadloom-gateway-adds-the-key' },
      models: { [model]: { name: model } },
    },
  },
})

const lineTypes = new Set(['step_start', 'text', 'tool_use', 'step_finish', 'reasoning'])

function translate(line: Json): AgentNews[] | null {
  const { type, part } = line
  if (type === 'error') {
    const text = textOf(at(line, 'error', 'data', 'message')) ?? textOf(at(line, 'error', 'name'))
    return [{ type: 'warning', text: text ?? 'opencode reports an error' }]
  }
  if (!isObject(part) || typeof type !== 'string' || !lineTypes.has(type)) return null
  if (type === 'text') {
    const text = textOf(part['text'])
    return text === null ? [] : [{ type: 'message', text }]
  }
  if (type === 'tool_use') return used(part)
  if (type === 'step_finish') return finished(part['tokens'])
  return []
}

/** A tool's call and its result come in one line, when it has ended. */
function used(part: Json): AgentNews[] {
  const [call, tool, state] = [shown(part['callID']), shown(part['tool']), part['state']]
  const ok = at(state, 'status') === 'completed'
  return [
    { type: 'tool_call', call, tool, arguments: shown(at(state, 'input')) },
    { type: 'tool_result', call, ok, text: shown(at(state, ok ? 'output' : 'error')) },
  ]
}

const finished = (tokens: unknown): AgentNews[] => [
  {
    type: 'usage',
    model: null,
    input: count(at(tokens, 'input')) + count(at(tokens, 'cache', 'read')) + count(at(tokens, 'cache', 'write')),
    output: count(at(tokens, 'output')) + count(at(tokens, 'reasoning')),
  },
]
