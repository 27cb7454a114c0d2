import { expect, test } from 'vitest'
import { resolveSettings, type ProjectConfig } from '@beadloom/core/project/project-config.ts'
import { settingsOfReview } from './review-settings.ts'

const found = {
  setup: null,
  test: 'npm test',
  checks: [],
  techStack: ['Node.js'],
  tools: [],
  devcontainer: null,
  tests: [{ label: '', command: 'npm test' }],
  nested: [],
  untested: null,
  absent: [],
  services: [],
}
const reviewer = (config: ProjectConfig) => {
  const { agent, command, model } = settingsOfReview(resolveSettings(config, found, 'demo', 'main'))
  return { agent, command, model }
}

test("a reviewer is another agent with another model if the project says so, otherwise the author's", () => {
  expect(reviewer({ model: 'a' })).toEqual({ agent: 'openai', command: null, model: 'a' })
  expect(reviewer({ model: 'a', review: { model: 'b' } })).toEqual({ agent: 'openai', command: null, model: 'b' })
  expect(reviewer({ review: { command: 'judge' } })).toMatchObject({ agent: 'command', command: 'judge' })
  const author = { agent: 'command' as const, command: 'write' }
  expect(reviewer({ ...author, review: { agent: 'openai' } })).toMatchObject({ agent: 'openai' })
  expect(reviewer(author)).toMatchObject({ agent: 'command', command: 'write' })
})

test("an author's settings for single beads do not apply to the reviewer", () => {
  const beads = { 'bl-1': { agent: 'command' as const, command: 'write' } }
  expect(settingsOfReview(resolveSettings({ beads }, found, 'demo', 'main')).beads).toEqual({})
})
