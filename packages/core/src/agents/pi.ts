import { at, count, shown, textBlocks, textOf, type Json } from './json.ts'
import type { AgentNews, AgentPreset } from './preset.ts'

/** pi, https://github.com/badlogic/pi-mono. */
export const pi: AgentPreset = {
  title: 'pi',
  package: '@mariozechner/pi-coding-agent',
  version: '0.73.1',
  api: 'chat',
  program: 'pi',
  call: ({ program, linkUrl, model, extra, prompt }) => {
    const name = model ?? 'default'
    return {
      argv: [program, '-p', '--mode', 'json', '--provider', 'beadloom', '--model', name, ...extra],
      env: { PI_SKIP_VERSION_CHECK: '1' },
      files: { '.pi/agent/models.json': JSON.stringify(configuration(linkUrl, name), null, 2) },
      stdin: prompt,
    }
  },
  translator: () => translate,
}

const configuration = (linkUrl: string, model: string): Json => ({
  providers: {
    beadloom: {
      baseUrl: `${linkUrl}/v1`,
      api: 'openai-completions',
      apiKey: 'beadloom-gateway-adds-the-key',
      models: [{ id: model }],
    },
  },
})

const lineTypes =
  /^(?:session|agent_(?:start|end)|turn_(?:start|end)|message_(?:start|update|end)|tool_execution_(?:start|update|end))$/

function translate(line: Json): AgentNews[] | 'repeats' | null {
  const { type, message } = line
  if (typeof type !== 'string' || !lineTypes.test(type)) return null
  switch (type) {
    case 'message_update':
    case 'tool_execution_update':
      return 'repeats'
    case 'message_end':
      return at(message, 'role') === 'assistant' ? said(message) : []
    case 'tool_execution_start':
      return [
        {
          type: 'tool_call',
          call: shown(line['toolCallId']),
          tool: shown(line['toolName']),
          arguments: shown(line['args']),
        },
      ]
    case 'tool_execution_end':
      return [
        {
          type: 'tool_result',
          call: shown(line['toolCallId']),
          ok: line['isError'] !== true,
          text: textBlocks(at(line['result'], 'content')) ?? '',
        },
      ]
    case 'agent_end':
      return [{ type: 'over', how: 'success', text: null }]
    default:
      return []
  }
}

function said(message: unknown): AgentNews[] {
  const text = textBlocks(at(message, 'content'))
  const usage = at(message, 'usage')
  const error = at(message, 'stopReason') === 'error' ? textOf(at(message, 'errorMessage')) : null
  return [
    ...(text === null ? [] : [{ type: 'message' as const, text }]),
    ...(error === null ? [] : [{ type: 'warning' as const, text: error }]),
    {
      type: 'usage',
      model: textOf(at(message, 'model')),
      input: count(at(usage, 'input')) + count(at(usage, 'cacheRead')) + count(at(usage, 'cacheWrite')),
      output: count(at(usage, 'output')),
    },
  ]
}
