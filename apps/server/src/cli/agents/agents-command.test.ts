import type { AgentView, NamedAgentsView } from '@beadloom/core/api/server/agents-api.ts'
import { expect, test } from 'vitest'
import { listOf } from './agents-command.ts'
import { namedListOf } from './named-agents.ts'
import { paintOf } from '../terminal/paint.ts'

const agent = (name: AgentView['name'], model: AgentView['model']): AgentView => {
  const image = { bytes: 2e8 }
  return { name, title: name, package: name, version: '1.2.3', api: 'chat', image, model }
}
const none = { ok: false, text: 'no model configured: set A_KEY and start the server again' }

test('a problem that several agents share is shown once, below the table', () => {
  const agents = [agent('openai', { ok: true, text: 'gpt' }), agent('pi', none), agent('codex', none)]
  expect(listOf(agents, 60, paintOf(false)).split('\n')).toEqual([
    'AGENT   VERSION  IMAGE   API   MODEL',
    'openai  1.2.3    200 MB  chat  gpt',
    'pi      1.2.3    200 MB  chat  none: see below',
    'codex   1.2.3    200 MB  chat  none: see below',
    '',
    'pi, codex: no model configured: set A_KEY and start the',
    'server again',
  ])
})

test('the agents of a project are a table, with the problems of other files below it', () => {
  const view: NamedAgentsView = {
    items: [
      {
        name: 'painter',
        description: 'Paints \u001b[31mred.',
        tools: ['read_file'],
        model: 'small',
        from: '.claude/agents/p.md',
      },
      { name: 'docs-agent', description: 'Writes.', tools: null, model: null, from: null },
    ],
    problems: ['.claude/agents/b.md is not an agent: its first line is not "---"'],
    notes: [],
  }
  const text = namedListOf(view, 100, paintOf(false))
  expect(text.split('\n')).toEqual([
    'AGENT       TOOLS      MODEL  FROM                 DESCRIPTION',
    expect.stringMatching(/^painter {5}read_file {2}small {2}\.claude\/agents\/p\.md {2}Paints .*red\.$/),
    'docs-agent  all        –      built in             Writes.',
    '',
    '.claude/agents/b.md is not an agent: its first line is not "---"',
  ])
  expect(text).not.toContain('\u001b')
})
