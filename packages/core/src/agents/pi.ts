import { at, count, sentenceIn, shown, textBlocks, textOf, type Json } from './json.ts'
import { isObject } from '../text/json-object.ts'
import type { AgentNews, AgentPreset, Translator } from './preset.ts'

/**
 * pi, https://pi.dev. It reads a project's `.pi` folder, as the other agents read theirs: the container is the sandbox.
 */
export const pi: AgentPreset = {
  package: '@earendil-works/pi-coding-agent',
  former: { package: '@mariozechner/pi-coding-agent', before: '0.74.0' },
  version: '1.6.0',
  api: 'chat',
  program: 'pi',
  call: ({ program, linkUrl, model, extra, prompt, continues }) => {
    const name = model ?? 'default'
    return {
      argv: [
        program,
        '-p',
        '--mode',
        'json',
        '--provider',
        'beadloom',
        '--model',
        name,
        ...(continues ? ['--continue'] : []),
        ...extra,
      ],
      env: { PI_OFFLINE: '1' },
      files: {
        '.pi/agent/models.json': JSON.stringify(configuration(linkUrl, name), null, 2),
        '.pi/agent/settings.json': JSON.stringify({ retry: RETRY, defaultProjectTrust: 'always' }),
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
 * The gateway retries calls. pi tries once more in case the server restarts in the middle of a call, which the gateway
 * cannot retry.
 */
const RETRY = { enabled: true, maxRetries: 1, baseDelayMs: 500 }

const lineTypes =
  /^(?:session|agent_(?:start|end|settled)|turn_(?:start|end)|message_(?:start|update|end)|tool_execution_(?:start|update|end)|auto_retry_(?:start|end)|compaction_(?:start|end)|summarization_retry_[a-z_]+|queue_update|entry_appended|session_info_changed|thinking_level_changed)$/

/** With these lines it continues after an end that it has announced. */
const CONTINUES = new Set(['agent_start', 'auto_retry_start', 'compaction_start'])

/**
 * Its exit code is always 0; its last answer says how it ended. It also announces an end before it asks again, and
 * before it shortens a context that became too long and continues.
 */
function translator(): Translator {
  let failure: string | null = null
  let ended = false
  /** A compaction after an announced end; any other compaction is a part of the work. */
  let compacting = false
  const end = (): AgentNews[] => {
    if (ended) return []
    ended = true
    return [{ type: 'over', how: failure === null ? 'success' : 'failed', text: failure }]
  }
  return (line) => {
    const type = textOf(line['type']) ?? ''
    if (type === 'message_end' && at(line['message'], 'role') === 'assistant') failure = failureOf(line['message'])
    if (type === 'agent_end') return line['willRetry'] === true ? [] : end()
    if (type === 'agent_settled') return end()
    if (type === 'compaction_end') {
      // Before 0.80.4 nothing follows a compaction that does not continue.
      const isLast = compacting && line['willRetry'] !== true
      compacting = false
      return [...compacted(line), ...(isLast ? end() : [])]
    }
    if (ended && CONTINUES.has(type)) {
      ended = false
      compacting = type === 'compaction_start'
      return type === 'auto_retry_start' ? [{ type: 'resumed' }, retried(line)] : [{ type: 'resumed' }]
    }
    return translate(line)
  }
}

/** Shows people where the agent lost a part of its context. */
function compacted({ reason, result, errorMessage }: Json): AgentNews[] {
  const why = shown(reason)
  if (!isObject(result))
    return [
      {
        type: 'warning',
        text: `pi could not shorten its context (${why}): ${textOf(errorMessage) ?? 'it was stopped'}`,
      },
    ]
  const [before, after] = [result['tokensBefore'], result['estimatedTokensAfter']].map(count)
  return [{ type: 'warning', text: `pi shortened its context (${why}): about ${before} tokens became ${after}` }]
}

const failureOf = (message: unknown): string | null =>
  at(message, 'stopReason') === 'error' ? (sentenceOf(at(message, 'errorMessage')) ?? 'the model failed') : null

/** `400: {"message":"…",…}`, or, before version 0.74, only the status and the sentence. */
function sentenceOf(said: unknown): string | null {
  const text = textOf(said)
  const [, status, body] = /^(\d{3}): (\{.*)$/s.exec(text ?? '') ?? []
  return body === undefined ? text : `${status} ${sentenceIn(body, 'message')}`
}

function translate(line: Json): AgentNews[] | 'repeats' | null {
  const { type, message } = line
  if (typeof type !== 'string' || !lineTypes.test(type)) return null
  switch (type) {
    case 'message_update':
    case 'tool_execution_update':
      return 'repeats'
    case 'auto_retry_start':
      return [retried(line)]
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

const retried = (line: Json): AgentNews => ({
  type: 'warning',
  text: `pi asks its model again (retry ${count(line['attempt'])} of ${count(line['maxAttempts'])})`,
})

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
