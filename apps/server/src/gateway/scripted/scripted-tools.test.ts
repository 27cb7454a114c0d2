import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readRequest } from './scripted-request.ts'
import { filler, translateCall, type ScriptedCall } from './scripted-tools.ts'
import { claudeTools, codexTools, opencodeTools, piTools } from '../testing/offered-tools.ts'

function offered(dialect: 'chat' | 'responses' | 'messages', tools: unknown) {
  const request = readRequest(dialect, { [dialect === 'responses' ? 'input' : 'messages']: [], tools })
  if ('failed' in request) throw new Error(request.failed.message)
  return request.tools
}

const agents = {
  codex: offered('responses', codexTools),
  claude: offered('messages', claudeTools),
  opencode: offered('chat', opencodeTools),
  pi: offered('chat', piTools),
}
const script: Record<string, ScriptedCall> = {
  bash: { tool: 'bash', arguments: { command: 'npm test', timeout_seconds: 90 } },
  part: { tool: 'read_file', arguments: { path: 'src/a.ts', first_line: 3, line_count: 4 } },
  write: { tool: 'write_file', arguments: { path: '/abs/b', content: "it's\n" } },
  edit: { tool: 'edit_file', arguments: { path: './c', old_text: 'one', new_text: 'two' } },
}

function translated(agent: keyof typeof agents, name: string) {
  const given = translateCall(script[name] ?? { tool: name, arguments: {} }, agents[agent], '/repo')
  if ('problem' in given) throw new Error(given.problem)
  const tool = agents[agent].find((candidate) => candidate.name === given.tool)
  const args: unknown = JSON.parse(given.arguments)
  expect(() => z.fromJSONSchema(tool?.schema ?? false).parse(args)).not.toThrow()
  return [given.tool, args]
}

describe("a call of a script becomes a call of the agent's own tools:", () => {
  test('Claude Code', () => {
    expect(translated('claude', 'bash')).toEqual([
      'Bash',
      { command: 'npm test', timeout: 90_000, description: 'A step of the scripted model' },
    ])
    expect(translated('claude', 'part')).toEqual(['Read', { file_path: '/repo/src/a.ts', offset: 3, limit: 4 }])
    expect(translated('claude', 'write')).toEqual(['Write', { file_path: '/abs/b', content: "it's\n" }])
    expect(translated('claude', 'edit')).toEqual([
      'Edit',
      { file_path: '/repo/c', old_string: 'one', new_string: 'two' },
    ])
  })

  test('opencode', () => {
    expect(translated('opencode', 'bash')).toEqual(['bash', { command: 'npm test', timeout: 90_000 }])
    expect(translated('opencode', 'part')).toEqual(['read', { filePath: '/repo/src/a.ts', offset: 3, limit: 4 }])
    expect(translated('opencode', 'write')).toEqual(['write', { filePath: '/abs/b', content: "it's\n" }])
    expect(translated('opencode', 'edit')).toEqual([
      'edit',
      { filePath: '/repo/c', oldString: 'one', newString: 'two' },
    ])
  })

  test('pi', () => {
    expect(translated('pi', 'bash')).toEqual(['bash', { command: 'npm test', timeout: 90 }])
    expect(translated('pi', 'part')).toEqual(['read', { path: 'src/a.ts', offset: 3, limit: 4 }])
    expect(translated('pi', 'edit')).toEqual(['edit', { path: './c', edits: [{ oldText: 'one', newText: 'two' }] }])
  })

  test('Codex, which has a shell for everything', () => {
    expect(translated('codex', 'bash')).toEqual(['exec_command', { cmd: 'npm test', yield_time_ms: 30_000 }])
    expect(translated('codex', 'part')).toMatchObject(['exec_command', { cmd: `sed -n '3,6p' 'src/a.ts'` }])
    expect(translated('codex', 'write')).toMatchObject(['exec_command', { cmd: expect.stringContaining(`'it'\\''s`) }])
    expect(translated('codex', 'edit')).toMatchObject(['exec_command', { cmd: expect.stringContaining('awk') }])
  })

  test('a shell that takes its command as a list of words', () => {
    const parameters = { type: 'object', properties: { command: { type: 'array' } }, required: ['command'] }
    const shell = offered('responses', [{ type: 'function', name: 'shell', parameters }])
    expect(translateCall({ tool: 'bash', arguments: { command: 'ls' } }, shell, null)).toMatchObject({
      arguments: '{"command":["bash","-lc","ls"]}',
    })
  })
})

test('a tool that the agent has under the same name is called as the script says', () => {
  const parameters = { type: 'object', properties: { path: { type: 'string' } } }
  const tools = offered('chat', [
    { type: 'function', function: { name: 'read_file', parameters } },
    { type: 'function', function: { name: 'submit_review' } },
  ])
  for (const call of [
    { tool: 'read_file', arguments: { path: 'a', mode: 1 } }, // a mistake, for the tool to refuse
    { tool: 'submit_review', arguments: { issues: [] } },
  ]) {
    expect(translateCall(call, tools, null)).toMatchObject({
      tool: call.tool,
      arguments: JSON.stringify(call.arguments),
    })
  }
})

test('a field that a schema requires beyond the script is filled with an accepted value', () => {
  const schema = z.toJSONSchema(
    z.object({
      description: z.string(),
      mode: z.enum(['fast', 'slow']),
      count: z.int().min(3),
      force: z.boolean(),
      list: z.array(z.string()),
      inner: z.object({ of: z.string(), kind: z.literal('x') }),
      other: z.string().optional(),
    }),
  ) as Record<string, unknown>
  expect(() => z.fromJSONSchema(schema).parse(filler('', schema))).not.toThrow()
})
