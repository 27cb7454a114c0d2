import { isObject } from '@beadloom/core/text/json-object.ts'
import type { OfferedTool } from './scripted-request.ts'
import { editCommand, readCommand, searchCommand, writeCommand } from './shell-words.ts'

/*
 * A scenario is written for the tools of the built-in agent. This file translates its calls to the tools that a request
 * offers: it finds a tool by the names that agents use, and its arguments by the names in its schema. A call without a
 * matching tool becomes a command line for the shell.
 */

type Json = Record<string, unknown>
export type ScriptedCall = { tool: string; arguments: Json }
/** A call as an API gives it: `arguments` is JSON, or the text that a tool without a schema takes. */
export type GivenCall = { tool: string; namespace: string | null; arguments: string; free: boolean }

/** Other agents' names for these tools, best first. Names are compared without case, hyphens and underscores. */
const names: Record<string, readonly string[]> = {
  bash: ['bash', 'exec_command', 'shell_command', 'shell', 'local_shell', 'container.exec', 'run_shell_command'],
  read_file: ['read', 'read_file'],
  write_file: ['write', 'write_file'],
  edit_file: ['edit', 'edit_file', 'str_replace'],
}

/** Other agents' names for the arguments, compared in the same way. */
const fields: Record<string, readonly string[]> = {
  command: ['command', 'cmd'],
  timeout_seconds: ['timeout_seconds', 'timeout', 'timeout_ms'],
  path: ['path', 'file_path', 'file', 'filename'],
  first_line: ['first_line', 'offset', 'start_line'],
  line_count: ['line_count', 'limit'],
  content: ['content', 'contents', 'text'],
  old_text: ['old_text', 'old_string', 'old_str'],
  new_text: ['new_text', 'new_string', 'new_str'],
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** Translates a call. `folder`: the agent's working folder, for tools that want absolute paths. */
export function translateCall(
  call: ScriptedCall,
  tools: readonly OfferedTool[],
  folder: string | null,
): GivenCall | { problem: string } {
  const same = tools.find(({ name }) => name === call.tool)
  const tool = same ?? toolFor(call.tool, tools)
  const args = tool?.schema && argumentsFor(tool, call, folder)
  if (tool && args) return given(tool, JSON.stringify(args))
  if (same?.schema) return given(same, JSON.stringify(call.arguments)) // the agent will report their mistakes
  const command = commandFor(call)
  const shell = command === null ? undefined : toolFor('bash', tools)
  const shellArgs = shell?.schema && command !== null && argumentsFor(shell, bash(command), folder)
  if (shell && shellArgs) return given(shell, JSON.stringify(shellArgs))
  const code = command === null ? undefined : tools.find(isCodeTool)
  if (code && command !== null) return given(code, codeFor(command))
  const offered = tools.map(({ name }) => name).join(', ')
  return { problem: `no tool for "${call.tool}" among those that the request offers: ${offered}` }
}

const bash = (command: string): ScriptedCall => ({ tool: 'bash', arguments: { command } })

const given = ({ name, namespace, schema }: OfferedTool, args: string): GivenCall => ({
  tool: name,
  namespace,
  arguments: args,
  free: schema === null,
})

function toolFor(name: string, tools: readonly OfferedTool[]): OfferedTool | undefined {
  const known = Object.hasOwn(names, name) ? (names[name] ?? []) : []
  for (const wanted of known) {
    const found = tools.find((tool) => tool.schema !== null && plain(tool.name) === plain(wanted))
    if (found) return found
  }
  return undefined
}

/** Null when the tool cannot take all arguments that the call must pass. */
function argumentsFor({ schema, name }: OfferedTool, call: ScriptedCall, folder: string | null): Json | null {
  const properties = propertiesOf(schema ?? {})
  if (!properties) return name === call.tool ? call.arguments : null // its schema lists no arguments
  const args: Json = {}
  const rest: Json = {}
  for (const [key, value] of Object.entries(call.arguments)) {
    const field = fieldFor(key, properties)
    if (field === undefined) rest[key] = value
    else args[field] = inUnitsOf(properties[field] ?? {}, key, value, folder)
  }
  const list = properties['edits']
  if ('old_text' in rest && 'new_text' in rest && list) {
    const one = propertiesOf(isObject(list['items']) ? list['items'] : {})
    const [before, after] = [one && fieldFor('old_text', one), one && fieldFor('new_text', one)]
    if (before === null || after === null || before === undefined || after === undefined) return null
    args['edits'] = [{ [before]: rest['old_text'], [after]: rest['new_text'] }]
    delete rest['old_text']
    delete rest['new_text']
  }
  // A time limit may be dropped; every other argument has to be passed.
  if (Object.keys(rest).some((key) => key !== 'timeout_seconds')) return null
  if ('yield_time_ms' in properties) args['yield_time_ms'] = LONGEST_YIELD_MS
  const required = Array.isArray(schema?.['required']) ? schema['required'].map(textOf) : []
  for (const key of required) if (!Object.hasOwn(args, key)) args[key] = filler(key, properties[key] ?? {})
  return args
}

/** Codex stops waiting for a command after ten seconds unless told otherwise; this is its maximum. */
const LONGEST_YIELD_MS = 30_000

function propertiesOf(schema: Json): Record<string, Json> | null {
  const properties = schema['properties']
  if (!isObject(properties)) return null
  return Object.fromEntries(Object.entries(properties).filter((entry): entry is [string, Json] => isObject(entry[1])))
}

function fieldFor(key: string, properties: Record<string, Json>): string | undefined {
  if (Object.hasOwn(properties, key)) return key
  const wanted = (Object.hasOwn(fields, key) ? (fields[key] ?? []) : []).map(plain)
  return Object.keys(properties).find((name) => wanted.includes(plain(name)))
}

/**
 * Converts to milliseconds, absolute paths or a command as a list of words, if the schema or its description asks for
 * it.
 */
function inUnitsOf(property: Json, key: string, value: unknown, folder: string | null): unknown {
  const about = textOf(property['description'])
  if (key === 'timeout_seconds' && typeof value === 'number')
    return /millisecond|\bms\b/i.test(about) ? value * 1000 : value
  if (key === 'command' && property['type'] === 'array') return ['bash', '-lc', value]
  if (
    key === 'path' &&
    typeof value === 'string' &&
    folder &&
    /absolute/i.test(about) &&
    !/relative or absolute/i.test(about)
  ) {
    return value.startsWith('/') ? value : `${folder.replace(/\/+$/, '')}/${value.replace(/^(?:\.\/)+/, '')}`
  }
  return value
}

/** A harmless value that the schema accepts. */
export function filler(key: string, schema: Json): unknown {
  if ('default' in schema) return schema['default']
  if ('const' in schema) return schema['const']
  if (Array.isArray(schema['enum'])) return schema['enum'][0]
  const type = Array.isArray(schema['type']) ? schema['type'][0] : schema['type']
  if (type === 'boolean') return false
  if (type === 'number' || type === 'integer') return numberOf(schema['minimum']) ?? 1
  if (type === 'array') return []
  if (type === 'null') return null
  if (type !== 'object') return key === 'description' ? 'A step of the scripted model' : 'scripted'
  const properties = propertiesOf(schema) ?? {}
  const required = Array.isArray(schema['required']) ? schema['required'].map(textOf) : []
  return Object.fromEntries(required.map((name) => [name, filler(name, properties[name] ?? {})]))
}

/** The call as a command line; null for a tool that the shell cannot replace. */
function commandFor({ tool, arguments: args }: ScriptedCall): string | null {
  const path = textOf(args['path'])
  if (tool === 'read_file') return readCommand(path, numberOf(args['first_line']), numberOf(args['line_count']))
  if (tool === 'write_file') return writeCommand(path, textOf(args['content']))
  if (tool === 'edit_file') return editCommand(path, textOf(args['old_text']), textOf(args['new_text']))
  if (tool === 'search') return searchCommand(args)
  return tool === 'bash' ? textOf(args['command']) : null
}

/** Codex offers its larger models a single tool that runs JavaScript, with all other tools inside it. */
const isCodeTool = ({ name, schema, description }: OfferedTool): boolean =>
  name === 'exec' && schema === null && description.includes('tools.exec_command')

const codeFor = (
  command: string,
): string => `let step = await tools.exec_command(${JSON.stringify({ cmd: command, yield_time_ms: LONGEST_YIELD_MS })})
let output = step.output
while (step.session_id !== undefined) {
  step = await tools.write_stdin({ session_id: step.session_id })
  output += step.output
}
text(output + '\\n[exit code ' + step.exit_code + ']')`

/** Waits again for a command that its tool stopped waiting for; null when there is no tool for that. */
export function pollCall(session: number, tools: readonly OfferedTool[]): GivenCall | null {
  const tool = tools.find(({ name, schema }) => name === 'write_stdin' && schema !== null)
  return tool ? given(tool, JSON.stringify({ session_id: session, yield_time_ms: LONGEST_YIELD_MS })) : null
}
