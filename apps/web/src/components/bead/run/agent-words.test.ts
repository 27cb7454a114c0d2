import { expect, test } from 'vitest'
import { agentText, titleOf } from './agent-words.ts'

const pi = {
  name: 'pi',
  title: 'pi',
  package: 'p',
  version: '1.2.3',
  api: 'chat',
  image: { bytes: null },
  model: { ok: true, text: 'big at http://x' },
} as const

test('an agent has its display name, and an unknown one its own', () => {
  expect(['openai', 'claude', 'constructor', ''].map(titleOf)).toEqual([
    'Built-in agent',
    'Claude Code',
    'constructor',
    '',
  ])
})

test("an agent's availability is a sentence, even if it is not installed yet or has no model", () => {
  expect(agentText(pi)).toBe('Version 1.2.3, installed on first use, which takes a minute. Model: big at http://x.')
  expect(agentText({ ...pi, image: null, version: null, model: { ok: false, text: 'no model configured' } })).toBe(
    'No model configured.',
  )
})
