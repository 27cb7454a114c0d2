/*
 * The tools that real agents offered (Codex 0.169.0, Claude Code 2.1.330, opencode 1.18.33, pi 0.87.1), as far as a
 * scenario uses them; descriptions are shortened to the parts that are read.
 */

type Properties = Record<string, Record<string, unknown>>
const object = (properties: Properties, required: string[]) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

const text = { type: 'string' }
const absolute = { type: 'string', description: 'The absolute path to the file (must be absolute, not relative)' }
const relative = { type: 'string', description: 'Path to the file (relative or absolute)' }
const number = { type: 'number' }
const milliseconds = { type: 'number', description: 'Optional timeout in milliseconds (max 600000)' }
const seconds = { type: 'number', description: 'Timeout in seconds (optional, no default timeout)' }

const chat = (name: string, parameters: object) => ({ type: 'function' as const, function: { name, parameters } })

const execCommand = object({ cmd: text, workdir: text, tty: { type: 'boolean' }, yield_time_ms: number }, ['cmd'])
const writeStdin = object({ session_id: number, chars: text, yield_time_ms: number }, ['session_id'])

export const codexTools = [
  { type: 'function', name: 'exec_command', strict: false, parameters: execCommand },
  { type: 'function', name: 'write_stdin', strict: false, parameters: writeStdin },
  { type: 'function', name: 'view_image', strict: false, parameters: object({ path: text }, ['path']) },
  {
    type: 'namespace',
    name: 'multi_agent_v1',
    tools: [{ type: 'function', name: 'spawn', parameters: object({}, []) }],
  },
  { type: 'web_search', external_web_access: false },
]

/** Codex's offer to its larger models: a single tool that runs JavaScript, in an item of the conversation. */
export const codexCodeTools = {
  type: 'additional_tools',
  role: 'developer',
  tools: [
    {
      type: 'namespace',
      name: 'functions',
      tools: [{ type: 'custom', name: 'exec', description: 'Runs raw JavaScript: await tools.exec_command(...)' }],
    },
  ],
}

export const claudeTools = [
  {
    name: 'Bash',
    input_schema: object({ command: text, timeout: milliseconds, description: text }, ['command', 'description']),
  },
  {
    name: 'Edit',
    input_schema: object(
      { file_path: absolute, old_string: text, new_string: text, replace_all: { type: 'boolean', default: false } },
      ['file_path', 'old_string', 'new_string'],
    ),
  },
  { name: 'Read', input_schema: object({ file_path: absolute, offset: number, limit: number }, ['file_path']) },
  { name: 'Write', input_schema: object({ file_path: absolute, content: text }, ['file_path', 'content']) },
]

export const opencodeTools = [
  chat('bash', object({ command: text, timeout: milliseconds, workdir: text }, ['command'])),
  chat(
    'edit',
    object({ filePath: absolute, oldString: text, newString: text, replaceAll: { type: 'boolean' } }, [
      'filePath',
      'oldString',
      'newString',
    ]),
  ),
  chat('read', object({ filePath: absolute, offset: number, limit: number }, ['filePath'])),
  chat('todowrite', object({ todos: { type: 'array' } }, ['todos'])),
  chat('write', object({ content: text, filePath: absolute }, ['content', 'filePath'])),
]

const oneEdit = object({ oldText: text, newText: text }, ['oldText', 'newText'])
export const piTools = [
  chat('read', object({ path: relative, offset: number, limit: number }, ['path'])),
  chat('bash', object({ command: text, timeout: seconds }, ['command'])),
  chat('edit', object({ path: relative, edits: { type: 'array', items: oneEdit } }, ['path', 'edits'])),
  chat('write', object({ path: relative, content: text }, ['path', 'content'])),
]
