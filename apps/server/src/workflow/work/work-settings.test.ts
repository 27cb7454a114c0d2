import { expect, test } from 'vitest'
import { resolveSettings, type ProjectConfig } from '@beadloom/core/project/project-config.ts'
import type { RunChoice } from '@beadloom/core/records/execution.ts'
import { parseBeadId } from '@beadloom/core/records/ids.ts'
import { settingsOfWork } from './work-settings.ts'

const found = {
  setup: null,
  test: 'npm test',
  checks: [],
  techStack: [],
  tools: [],
  devcontainer: null,
  tests: [{ label: '', command: 'npm test' }],
  nested: [],
  untested: null,
  absent: [],
  services: [],
}
const config: ProjectConfig = {
  agent: 'codex',
  model: 'usual',
  beads: { 'bl-1': { agent: 'pi', command: 'own' }, 'bl-2': { agent: 'pi' } },
}
const project = resolveSettings(config, found, 'demo', 'main')
const settings = (chosen?: RunChoice, bead = 'bl-1') =>
  settingsOfWork(project, { bead: parseBeadId(bead), ...(chosen && { chosen }) })

test("without a choice the project's settings count, also those for its beads", () => {
  expect(settings()).toBe(project)
})

test('a chosen agent counts more than that of the bead, whose command stays', () => {
  expect(settings({ agent: 'claude' as RunChoice['agent'] })).toMatchObject({
    agent: 'claude',
    beads: { 'bl-1': { command: 'own' }, 'bl-2': { agent: 'pi' } },
  })
  expect(settings({ agent: 'claude' as RunChoice['agent'] }).beads['bl-1']).toEqual({ command: 'own' })
  expect(settings({ agent: 'claude' as RunChoice['agent'] }, 'bl-2').beads).toEqual({ 'bl-1': project.beads['bl-1'] })
})

test("a chosen model leaves the bead's own agent", () => {
  expect(settings({ model: 'better' })).toMatchObject({ agent: 'codex', model: 'better', beads: project.beads })
})

test('a choice about fresh starts leaves the model', () => {
  const chosen = settings({ retryOnFailure: true, maxRetries: 7 })
  expect(chosen).toMatchObject({ model: 'usual', freshStarts: { retryOnFailure: true, maxRetries: 7 } })
})
