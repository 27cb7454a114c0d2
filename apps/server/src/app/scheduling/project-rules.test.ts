import type { Reason } from '@beadloom/core/dispatch/reason.ts'
import { expect, test } from 'vitest'
import type { ProjectRow } from '../../ports/store/projects.ts'
import { rulesOf } from './project-rules.ts'

const row = { id: 'p', autopilot: null, autopilotSince: null, paused: false } as unknown as ProjectRow
const obstacleBy = (project: Reason | null, engine: Reason | null): Reason | null =>
  rulesOf(
    {
      index: { endings: () => [] },
      projects: { obstacle: () => project, claimsIn: () => null },
      facts: { engineObstacle: () => engine, cooldown: () => null },
    } as unknown as Parameters<typeof rulesOf>[0],
    row,
    null,
  ).obstacle

test('a long text that keeps a project from starting is cut on its beads, and says where all of it is', () => {
  const text = 'a word '.repeat(30_000)
  const project = obstacleBy({ code: 'project_broken', text }, null)
  expect(project?.text).toMatch(/^a word .*… All of it is on the project's page\.$/)
  expect(project?.text.length).toBeLessThan(600)
  const engine = obstacleBy(null, { code: 'engine_away', text, until: 7 })
  expect(engine).toMatchObject({ code: 'engine_away', until: 7 })
  expect(engine?.text.length).toBeLessThan(600)
})

test('a text of a sentence stays whole', () => {
  const reason: Reason = { code: 'project_broken', text: 'the project has not been read yet' }
  expect(obstacleBy(reason, null)).toBe(reason)
})
