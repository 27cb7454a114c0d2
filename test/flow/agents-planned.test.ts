// @suite flow-long
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { PhaseView } from '@beadloom/core/api/plans/phase-api.ts'
import type { PlanView } from '@beadloom/core/api/plans/plan-api.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentsAsked, filesFor, WAITING } from '../support/agent-beads.ts'
import { BEAD, beads, files, plan, SCENARIO, scenarioText } from '../support/agent-plan.ts'
import { containersRunning } from '../support/containers.ts'
import { git } from '../support/repository.ts'
import { textsOf } from '../support/session-events.ts'
import { World } from '../support/world.ts'

/*
 * The known agents at work by a plan: as architect, in subtasks and as reviewer, from the request to the remote.
 * `npm run test:agents` runs all.
 */
const LONG_MS = 900_000

let world: World
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bl-planned-'))
  writeFileSync(join(folder, `${SCENARIO}.json`), scenarioText)
  world = await World.start({ scenarios: folder })
})
afterAll(async () => {
  await world?.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe.each(agentsAsked('pi'))('%s', (agent) => {
  test(
    'plans a bead, works in three phases with two subtasks side by side, reviews each, and pushes one commit a phase',
    async () => {
      const own = { ...filesFor(agent, { scenario: SCENARIO }), ...files }
      const { remote } = await world.addProject(agent, own, beads)
      const planned = await world.run(agent, BEAD, { planning: { when: 'always' } })
      expect(planned, await lastLog(planned)).toMatchObject({ kind: 'plan', state: 'COMPLETED' })
      const stored = await world.get<PlanView>(`/api/projects/${agent}/beads/${BEAD}/plan`)
      expect(stored).toMatchObject({ ...plan, source: 'architect', execution: planned.id, version: 1 })
      expect(stored.phases).toEqual([['1a', '1b'], ['2a', '2b'], ['3']])

      const { executions } = await world.get<BeadView>(`/api/projects/${agent}/beads/${BEAD}`)
      const id = executions.find(({ kind }) => kind === 'work')?.id ?? ''
      // Both subtasks of the second phase are in a command, and wait there until this test has seen both.
      let waiting: string[] = []
      const ended = world.ended(id)
      await world.until(async () => {
        waiting = await containersRunning(id, WAITING)
        return waiting.length === 2 || (await world.execution(id)).endedAt !== null
      })
      expect(waiting, await lastLog(await world.execution(id))).toHaveLength(2)
      expect((await world.execution(id)).progress).toMatchObject({
        phase: 2,
        activity: 'subtasks',
        done: 0,
        subtasks: 2,
      })
      for (const container of waiting) await world.containers.write(container, WAITING)

      const work = await ended
      expect(work, `${work.detail}\n${await lastLog(work)}`).toMatchObject({ state: 'COMPLETED', planVersion: 1 })
      const commits = git(remote, 'log', '--reverse', '--format=%s', `${work.baseCommit}..${work.branch}`).split('\n')
      expect(commits).toEqual([
        'Phase 1: Test the greeting, Test the farewell',
        'Phase 2: Greet the world, Take leave of the world',
        'Phase 3: Say both',
      ])
      expect(git(remote, 'log', '-3', '--format=%(trailers:key=Bead,valueonly)', work.branch)).toContain(BEAD)
      expect(git(remote, 'show', 'beadloom/work:greet.sh')).toContain('echo hello, world')
      expect(git(remote, 'show', 'beadloom/work:both.sh')).toContain('sh greet.sh && sh bye.sh')
      expect(git(remote, 'log', '--format=%s', 'beadloom/work')).not.toContain('Mine alone')
      expect(git(remote, 'ls-tree', '-r', '--name-only', 'beadloom/work')).not.toContain('.beadloom')
      expect((await world.get<BeadView>(`/api/projects/${agent}/beads/${BEAD}`)).status).toBe('done')
      expect(await world.containers.of(work.id)).toEqual([])

      const { items } = await world.get<{ items: PhaseView[] }>(`/api/executions/${work.id}/phases`)
      expect(items).toMatchObject([
        { status: 'completed', attempt: 1, trees: [{ passed: true, checks: [{ summary: asItShould }] }] },
        { status: 'completed', attempt: 1, trees: [{ passed: true }] },
        { status: 'completed', attempt: 1, trees: [{ passed: true }] },
      ])
      expect(items.map(({ review }) => review?.approved)).toEqual([true, true, true])
      // Each agent was a real one, in a session of its own.
      const agents = work.sessions.filter(({ kind }) => kind === 'work')
      expect(agents).toHaveLength(plan.subtasks.length + items.length)
      for (const { tokens, outcome } of agents) {
        expect(outcome).toBe('success')
        expect(tokens.input).toBeGreaterThan(1000)
      }

      const events = await world.events(work.id)
      const subtask = (of: string) => {
        const session = work.inPhases?.find((one) => one.subtask === of)?.id
        return textsOf(
          events.filter((one) => one.session === session),
          'tool_result',
        ).join('\n')
      }
      expect(subtask('1a')).toMatch(/ended with 1/)
      expect(subtask('2b')).toContain('## Phase 1 Summary')
      // It sees nothing of the other subtask, which runs beside it.
      expect(subtask('2b')).toContain('bye.sh')
      expect(subtask('2a')).toMatch(/pushed=[1-9]/)
      expect(subtask('3')).toContain('## Phase 2 Summary')
      expect(textsOf(events, 'warning').join('\n')).toContain('Subtask 2a committed although it was told not to')
    },
    LONG_MS,
  )
})

const asItShould = expect.stringContaining('as it should') as string

const lastLog = async ({ sessions }: ExecutionView): Promise<string> => {
  const last = sessions.at(-1)
  return last ? world.log(last.id) : 'no session'
}
