import type { AgentView } from '@beadloom/core/api/agents-api.ts'
import { expect, test } from 'vitest'
import { listOf } from './agents-command.ts'
import { paintOf } from '../terminal/paint.ts'

const agent = (name: AgentView['name'], model: AgentView['model']): AgentView => {
  const image = { bytes: 2e8 }
  return { name, title: name, package: name, version: '1.2.3', api: 'chat', image, model }
}
const none = { ok: false, text: 'no model configured: set A_KEY and start the server again' }

test('what agents lack is said once for all that lack the same, below the table', () => {
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
