import { at, count, shown, textBlocks, textOf, type Json } from './json.ts'
import type { AgentNews, AgentPreset, Translator } from './preset.ts'

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
      env: { PI_OFFLINE: '1' },
      files: {
        '.pi/agent/models.json': JSON.stringify(configuration(linkUrl, name), null, 2),
        '.pi/agent/settings.json': JSON.stringify({ retry: RETRY }),
      },
      stdin: prompt,
    }
  },
  translator,
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

/**
 * The gateway retries calls. One more try is for a server that restarts in the middle of a call, which it cannot retry.
 */
const RETRY = { enabled: true, maxRetries: 1, baseDelayMs: 500 }

const lineTypes =
  /^(?:session|agent_(?:start|end)|turn_(?:start|end)|message_(?:start|update|end)|tool_execution_(?:start|update|end)|auto_retry_(?:start|end))$/

/** Its exit code is always 0; its last answer says how it ended. Before a retry it announces an end as well. */
function translator(): Translator {
  let failure: string | null = null
  return (line) => {
    if (line['type'] === 'message_end' && at(line['message'], 'role') === 'assistant')
      failure = failureOf(line['message'])
    if (line['type'] === 'agent_end')
      return [{ type: 'over', how: failure === null ? 'success' : 'failed', text: failure }]
    if (line['type'] === 'auto_retry_start') return [{ type: 'resumed' }]
    return translate(line)
  }
}

const failureOf = (message: unknown): string | null =>
  at(message, 'stopReason') === 'error' ? (textOf(at(message, 'errorMessage')) ?? 'the model failed') : null

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
    default:
      return []
  }
}

function said(message: unknown): AgentNews[] {
  const text = textBlocks(at(message, 'content'))
  const usage = at(message, 'usage')
  const error = failureOf(message)
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
