import { describe, expect, test } from 'vitest'
import { readAgentFile } from './agent-file.ts'

const PATH = '.claude/agents/reviewer.md'
const file = (head: string, body = 'You review.') => `---\n${head}\n---\n\n${body}\n`
const read = (head: string, body?: string) => readAgentFile(PATH, file(head, body))
const good = 'name: reviewer\ndescription: Reviews code'

describe('an agent’s file', () => {
  test("is read in Claude Code's form", () => {
    expect(
      read(
        'name: code-reviewer\ndescription: Use this agent when: code is done, "ready" or not # a note\ntools: Read, Grep, Glob, Bash\nmodel: sonnet\ncolor: green',
        '# You\n\nYou are a reviewer.',
      ),
    ).toEqual({
      agent: {
        name: 'code-reviewer',
        description: 'Use this agent when: code is done, "ready" or not',
        tools: ['bash', 'search', 'read_file'],
        model: 'sonnet',
        prompt: '# You\n\nYou are a reviewer.',
      },
      notes: [],
    })
  })

  test.each<[string, string]>([
    ['in quotes', '"Reviews code: \\"all\\" of it"'],
    ['in single quotes', '\'Reviews code: "all" of it\''],
    ['folded', '>\n  Reviews code:\n  "all" of it'],
    ['of several lines', 'Reviews code:\n  "all"\n  of it'],
  ])('may have a text %s', (_, description) => {
    expect(read(`name: a\ndescription: ${description}`)).toMatchObject({
      agent: { description: 'Reviews code: "all" of it' },
    })
  })

  test.each<[string, string[] | null]>([
    ['', null],
    ['tools: "*"', null],
    ['tools: [Read, "Bash"]', ['bash', 'read_file']],
    ['tools:\n  - Read\n  - edit_file', ['read_file', 'edit_file']],
    ['tools:\n- Write', ['write_file']],
    ['disallowedTools: Bash, Write, Edit', ['search', 'read_file', 'check_token_budget']],
    ['tools: Read, Bash\ndisallowedTools: [Bash]', ['read_file']],
  ])('may name its tools as "%s"', (tools, named) => {
    expect(read(`${good}\n${tools}`)).toMatchObject({ agent: { tools: named } })
  })

  test('gets only tools that exist, none in part, and never one to spawn, and says so', () => {
    expect(read(`${good}\ntools: Read, WebFetch, Bash(git diff:*, git log:*), Task, spawn_subagent`)).toEqual({
      agent: expect.objectContaining({ tools: ['read_file'] }),
      notes: [`${PATH}: these tools are ignored: WebFetch, Bash(git diff:*, git log:*), Task, spawn_subagent`],
    })
  })

  test('may have a description as Claude Code writes them, with examples on one line', () => {
    const example =
      '<example>Context: the user wrote code.\\nuser: "Is it right?"\\nassistant: "I ask the reviewer."</example>'
    const description = `Use this agent when code is to be reviewed. Examples: ${example.repeat(20)}`
    expect(read(`name: a\ndescription: ${description}\ntools: Read`)).toMatchObject({ agent: { description } })
  })

  test('may have other keys with anything below them', () => {
    const head = `hooks:\n  PreToolUse:\n    - matcher: "Bash"\n      hooks: [{ type: command }]\n${good}\nmcpServers:\n  - slack`
    expect(read(head)).toMatchObject({ agent: { name: 'reviewer' } })
  })

  test('is called like its file if it has no name, and inherits a model', () => {
    expect(read('description: Reviews\nmodel: inherit')).toMatchObject({ agent: { name: 'reviewer', model: null } })
  })

  test('may have been written on Windows', () => {
    const text = `\ufeff${file(good)}`.replaceAll('\n', '\r\n')
    expect(readAgentFile(PATH, text)).toMatchObject({ agent: { name: 'reviewer', prompt: 'You review.' } })
  })

  test.each<[string, string, RegExp]>([
    ['no head', 'You review.', /its first line is not "---"/],
    ['half a head', '---\nname: a\n', /no second line "---"/],
    ['a line that is nothing', file('name: a\nwhat is this'), /line 3 is not of the form "key: value"/],
    ['a name of two lines', file('name: [a, b]\ndescription: d'), /its name .* is not made of/],
    ['a name with a path', file('name: ../../etc\ndescription: d'), /its name "\.\.\/\.\.\/etc" is not made of/],
    ['no description', file('name: a'), /no "description"/],
    ['a description without an end', file(`name: a\ndescription: ${'x'.repeat(8001)}`), /more than 8000 characters/],
    ['open quotes', file('name: a\ndescription: "half'), /the value of "description" is in a form of YAML/],
    ['a mapping for a text', file('name: a\ndescription:\n  in: deep'), /the value of "description"/],
    ['an alias', file('name: &a b\ndescription: d'), /the value of "name"/],
    ['a name twice', file(`${good}\nname: b`), /"name" twice/],
    ['only tools that are not there', file(`${good}\ntools: WebFetch`), /the built-in agent has none of its tools/],
    ['too many tools', file(`${good}\ntools: [${'Read, '.repeat(101)}]`), /more than 100 tools/],
    ['no prompt', file(good, ' '), /no prompt below its head/],
    ['bytes', file(good, '\0\u0001'), /not text/],
  ])('with %s is named with a sentence', (_, text, sentence) => {
    const found = readAgentFile(PATH, text)
    expect(found).toHaveProperty('problem')
    if ('problem' in found) {
      expect(found.problem).toMatch(sentence)
      expect(found.problem.startsWith(`${PATH} is not an agent: `)).toBe(true)
    }
  })

  test('that is made to be slow is read at once', () => {
    for (const text of [
      file(`name: a\ndescription: d\ntools: ${'('.repeat(60_000)}`),
      file(`name: a\ndescription: "${'\\'.repeat(60_000)}`),
      file(`name: a\ndescription: [${`'`.repeat(60_000)}`),
      file(`name: a\ndescription: x${' '.repeat(15_000)}y`),
      file(`name: a\ndescription: ${'#'.repeat(15_000)}`),
      file(`name: a\ndescription: [${`'`.repeat(15_000)}`),
      file(`name: a\ndescription: d\ntools: ${'('.repeat(15_000)}`),
      file(`name: a\ndescription: d\ntools: [${'"'.repeat(15_000)}]`),
      `---\n${'\n'.repeat(60_000)}`,
    ])
      expect(() => readAgentFile(PATH, text)).not.toThrow()
  })
})
