import { at, count, shown, textOf, type Json } from './json.ts'
import type { AgentNews, AgentPreset } from './preset.ts'

/** Codex, https://github.com/openai/codex. Its own sandbox is off because the container is one. */
export const codex: AgentPreset = {
  title: 'Codex',
  package: '@openai/codex',
  version: '0.169.0',
  api: 'responses',
  program: 'codex',
  call: ({ program, linkUrl, model, extra, prompt }) => ({
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
      '-',
    ],
    env: {},
    files: {},
    stdin: prompt,
  }),
  translator: () => translate,
}

const settings = (linkUrl: string): string[] => [
  'model_provider="beadloom"',
  `model_providers.beadloom={name="beadloom",base_url="${linkUrl}/v1",wire_api="responses",env_key="OPENAI_API_KEY"}`,
  'check_for_update_on_startup=false',
]

function translate(line: Json): AgentNews[] | null {
  const { type, item } = line
  if (typeof type !== 'string' || !/^(?:thread|turn|item)\.[a-z_.]+$|^error$/.test(type)) return null
  if (type === 'item.started') return started(item)
  if (type === 'item.completed') return completed(item)
  if (type === 'turn.completed') return [usage(line['usage']), { type: 'over', how: 'success', text: null }]
  if (type === 'turn.failed') return [{ type: 'over', how: 'failed', text: textOf(at(line, 'error', 'message')) }]
  if (type === 'error') return [{ type: 'warning', text: textOf(line['message']) ?? 'Codex reports an error' }]
  return []
}

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
          text: shown(at(item, 'aggregated_output')),
        },
      ]
    case 'file_change': {
      const changes = shown(at(item, 'changes'))
      return [
        { type: 'tool_call', call, tool: 'apply_patch', arguments: changes },
        { type: 'tool_result', call, ok: at(item, 'status') !== 'failed', text: '' },
      ]
    }
    case 'mcp_tool_call':
    case 'web_search':
      return [{ type: 'tool_result', call, ok: at(item, 'status') !== 'failed', text: shown(at(item, 'result')) }]
    case 'error':
      return [{ type: 'warning', text: textOf(at(item, 'message')) ?? 'Codex reports an error' }]
    default:
      return [] // reasoning, todo lists
  }
}

/** `cached_input_tokens` are among `input_tokens`, as the API has it. */
const usage = (value: unknown): AgentNews => ({
  type: 'usage',
  model: null,
  input: count(at(value, 'input_tokens')),
  output: count(at(value, 'output_tokens')),
})
