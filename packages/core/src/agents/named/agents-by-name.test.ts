import { expect, test } from 'vitest'
import { agentsByName, type AgentFile } from './agents-by-name.ts'
import { builtInAgents } from './built-in-agents.ts'

const file = (path: string, name: string, prompt = `I am ${path}`): AgentFile => ({
  path,
  text: `---\nname: ${name}\ndescription: d\n---\n${prompt}`,
})

test('without files there are the four built-in ones', () => {
  const { agents, problems } = agentsByName([])
  expect(agents.map(({ name, from }) => [name, from])).toEqual([
    ['coding-agent', null],
    ['code-review-agent', null],
    ['test-agent', null],
    ['docs-agent', null],
  ])
  expect(problems).toEqual([])
})

test('a name counts once: the project’s own before Claude Code’s before the built-in one, in any order', () => {
  const files = [
    file('.claude/agents/z.md', 'docs-agent'),
    file('.claude/agents/a.md', 'helper'),
    file('.beadloom/agents/z.md', 'helper'),
    file('.beadloom/agents/b.md', 'helper'),
  ]
  for (const order of [files, files.toReversed()]) {
    const { agents, notes } = agentsByName(order)
    expect(agents.find(({ name }) => name === 'helper')?.from).toBe('.beadloom/agents/b.md')
    expect(agents.find(({ name }) => name === 'docs-agent')?.from).toBe('.claude/agents/z.md')
    expect(agents).toHaveLength(builtInAgents.length + 1)
    expect(notes).toEqual([
      '.beadloom/agents/z.md: .beadloom/agents/b.md already has an agent helper, which is used',
      '.claude/agents/a.md: .beadloom/agents/b.md already has an agent helper, which is used',
    ])
  }
})

test.each([
  ['in ASCII', 'no agent\n'.padEnd(60_000)],
  ['with letters of three bytes', '€'.repeat(20_000)],
])('surplus files are left out by their names, whatever is in them: %s', (_, text) => {
  const long = Array.from({ length: 12 }, (_, at): AgentFile => ({
    path: `.claude/agents/a${String(at).padStart(2, '0')}.md`,
    text,
  }))
  const { agents, problems } = agentsByName([...long, file('.claude/agents/z.md', 'late')])
  expect(agents.map(({ name }) => name)).not.toContain('late')
  expect(problems.at(-1)).toBe('.claude/agents/z.md is left out: the files of all agents have more than 512 KiB')
})

test('a file that is no agent is named, and costs the others nothing', () => {
  const { agents, problems } = agentsByName([
    { path: '.beadloom/agents/bad.md', text: 'no head' },
    { path: '.beadloom/agents/big.md', text: null, why: 'is left out: it has more than 65,536 bytes' },
    file('.beadloom/agents/good.md', 'good'),
  ])
  expect(agents[0]?.name).toBe('good')
  expect(problems).toEqual([
    '.beadloom/agents/bad.md is not an agent: its first line is not "---"',
    '.beadloom/agents/big.md is left out: it has more than 65,536 bytes',
  ])
})

test('all prompts together are bounded, since they go into each session’s order', () => {
  const files = Array.from({ length: 6 }, (_, at) => file(`.beadloom/agents/a${at}.md`, `a${at}`, 'x'.repeat(60_000)))
  const { agents, problems } = agentsByName(files)
  expect(agents.filter(({ from }) => from !== null)).toHaveLength(4)
  expect(problems).toHaveLength(2)
  expect(problems[0]).toMatch(/^\.beadloom\/agents\/a4\.md is left out: .* more than 256 KiB$/)
})

test('built-in agents only read if they say so', () => {
  const tools = Object.fromEntries(builtInAgents.map(({ name, tools }) => [name, tools]))
  expect(tools['code-review-agent']).toEqual(['search', 'read_file', 'check_token_budget'])
  expect(tools['coding-agent']).toBeNull()
})
