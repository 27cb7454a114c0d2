import { recordedChanges } from './codex-changes.ts'
import { at, count, sentenceIn, shown, textOf, withExit, type Json } from './json.ts'
import type { AgentNews, AgentPreset } from './preset.ts'

/** Codex, https://github.com/openai/codex. Its own sandbox is off: the container is the sandbox. */
export const codex: AgentPreset = {
  package: '@openai/codex',
  version: '0.171.0',
  api: 'responses',
  program: 'codex',
  call: ({ program, linkUrl, model, extra, prompt, continues }) => ({
    argv: [
      program,
      'exec',
      '--json',
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
      ...settings(linkUrl).flatMap((setting) => ['-c', setting]),
      '-m',
      model ?? 'default',
      ...extra,
      ...(continues ? ['resume', '--last'] : []),
      '-',
    ],
    env: {},
    files: {},
    stdin: prompt,
  }),
  translator: () => {
    let thread = ''
    return (line) => {
      if (line['type'] === 'thread.started') thread = shown(line['thread_id'])
      return translate(line, thread)
    }
  },
}

/**
 * The gateway retries calls. Codex tries once more in case the server restarts in the middle of a call, which the
 * gateway cannot retry. Metrics and the list of plugins would wait for a network that does not exist.
 */
const settings = (linkUrl: string): string[] => [
  'model_provider="beadloom"',
  `model_providers.beadloom={name="beadloom",base_url="${linkUrl}/v1",wire_api="responses",env_key="OPENAI_API_KEY",request_max_retries=1,stream_max_retries=1}`,
  'analytics.enabled=false',
  'features.plugins=false',
  'check_for_update_on_startup=false',
]

/** Printed at every start with another maker's model; it helps nobody. */
const UNKNOWN_MODEL = /^Model metadata for /

function translate(line: Json, thread: string): AgentNews[] | null {
  const { type, item } = line
  if (typeof type !== 'string') return null
  switch (type) {
    case 'item.started':
      return started(item)
    case 'item.completed':
      return at(item, 'type') === 'file_change' ? changed(item, thread) : completed(item)
    case 'turn.completed':
      return [usage(line['usage']), { type: 'over', how: 'success', text: null }]
    case 'turn.failed':
      return [{ type: 'over', how: 'failed', text: reasonIn(at(line, 'error', 'message')) }]
    case 'error':
      return typeof line['message'] === 'string' ? [warning(line['message'])] : null
    default:
      return /^(?:thread|turn|item)\.[a-z_.]+$/.test(type) ? [] : null
  }
}

const warning = (said: unknown): AgentNews => ({ type: 'warning', text: reasonIn(said) ?? 'Codex reports an error' })

/** If the API refused, the message is the whole body of its answer. */
const reasonIn = (said: unknown): string | null => sentenceIn(said, 'error', 'message')

function started(item: unknown): AgentNews[] {
  const call = called(item)
  return call ? [call] : []
}

function called(item: unknown): Extract<AgentNews, { type: 'tool_call' }> | null {
  const id = shown(at(item, 'id'))
  switch (at(item, 'type')) {
    case 'command_execution':
      return { type: 'tool_call', call: id, tool: 'shell', arguments: shown(at(item, 'command')) }
    case 'mcp_tool_call':
      return { type: 'tool_call', call: id, tool: shown(at(item, 'tool')), arguments: shown(at(item, 'arguments')) }
    case 'web_search':
      return { type: 'tool_call', call: id, tool: 'web_search', arguments: shown(at(item, 'query')) }
    default:
      return null
  }
}

/**
 * A patch is reported when it is done, milliseconds after its start: only then does Codex's record of the session have
 * its text. The printed line has only the paths.
 */
function changed(item: unknown, thread: string): AgentNews[] {
  const call = shown(at(item, 'id'))
  const changes = at(item, 'changes')
  const record = {
    folder: '.codex/sessions',
    ending: `-${thread}.jsonl`,
    argumentsIn: (line: Json) => recordedChanges(line, changes),
  }
  const known = THREAD.test(thread) ? { record } : {}
  return [
    { type: 'tool_call', call, tool: 'apply_patch', arguments: shown(changes), ...known },
    { type: 'tool_result', call, ok: at(item, 'status') !== 'failed', text: '' },
  ]
}

/** It becomes part of a file's name. */
const THREAD = /^[\da-f-]{8,64}$/

function completed(item: unknown): AgentNews[] {
  const call = shown(at(item, 'id'))
  switch (at(item, 'type')) {
    case 'agent_message': {
      const text = textOf(at(item, 'text'))
      return text === null ? [] : [{ type: 'message', text }]
    }
    case 'command_execution':
      return [
        {
          type: 'tool_result',
          call,
          ok: at(item, 'exit_code') === 0,
          text: withExit(shown(at(item, 'aggregated_output')), at(item, 'exit_code')),
        },
      ]
    case 'mcp_tool_call':
    case 'web_search':
      return [{ type: 'tool_result', call, ok: at(item, 'status') !== 'failed', text: shown(at(item, 'result')) }]
    case 'error':
      return UNKNOWN_MODEL.test(shown(at(item, 'message'))) ? [] : [warning(at(item, 'message'))]
    default:
      return [] // reasoning, todo lists
  }
}

/** `input_tokens` already includes `cached_input_tokens`, as in the API. */
const usage = (value: unknown): AgentNews => ({
  type: 'usage',
  model: null,
  input: count(at(value, 'input_tokens')),
  output: count(at(value, 'output_tokens')),
})
