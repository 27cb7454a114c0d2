import { at, count, sentenceIn, shown, textOf, withExit, type Json } from './json.ts'
import { isObject } from '../text/json-object.ts'
import type { AgentNews, AgentPreset } from './preset.ts'

/** opencode, https://opencode.ai. */
export const opencode: AgentPreset = {
  package: 'opencode-ai',
  version: '1.18.33',
  api: 'chat',
  program: 'opencode',
  call: ({ program, linkUrl, model, extra, prompt, continues }) => {
    const name = model ?? 'default'
    return {
      argv: [
        program,
        'run',
        '--format',
        'json',
        '-m',
        `beadloom/${name}`,
        ...(continues ? ['--continue'] : []),
        ...extra,
      ],
      env: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' },
      files: { '.config/opencode/opencode.json': JSON.stringify(configuration(linkUrl, name), null, 2) },
      shell: SHELL,
      stdin: prompt,
    }
  },
  translator: () => translate,
}

/** opencode waits for ever for a command that a signal has ended, so its shell ends with an exit code instead. */
const SHELL = `#!/bin/sh
trap : TERM INT HUP
SHELL=$(command -v bash || command -v sh)
export SHELL
"$SHELL" "$@" &
command=$!
while wait "$command"; code=$?; kill -0 "$command" 2>/dev/null; do :; done
exit "$code"
`

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
    if (!isObject(line['error'])) return null
    // An error in the middle of a stream is reported as its JSON.
    const text = textOf(at(line, 'error', 'data', 'message')) ?? textOf(at(line, 'error', 'name'))
    return [{ type: 'over', how: 'failed', text: sentenceIn(text, 'message') }]
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

/** A tool's call and its result come in one line, after the call has ended. */
function used(part: Json): AgentNews[] {
  const [call, tool, state] = [shown(part['callID']), shown(part['tool']), part['state']]
  const completed = at(state, 'status') === 'completed'
  // A command that failed is "completed", too.
  const exit = at(state, 'metadata', 'exit') ?? 0
  const ok = completed && exit === 0
  return [
    { type: 'tool_call', call, tool, arguments: shown(at(state, 'input')) },
    { type: 'tool_result', call, ok, text: withExit(shown(at(state, completed ? 'output' : 'error')), exit) },
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
