import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { crashPoints } from '@beadloom/server/src/process/crash-point.ts'
import { agentOf, endOf, killedAt, pointsOf, pointsOfPhases, type Course } from '../crash/crash-at.ts'
import { ledgerProject } from '../crash/ledger-project.ts'
import { nothingLost } from '../crash/nothing-lost.ts'
import { killAtRandom } from '../crash/random-kills.ts'
import { isLong, seed, sized } from '../crash/size.ts'
import { tallyFound } from '../crash/tally.ts'
import { Victim, type VictimOptions } from '../crash/victim.ts'
import { carriers } from '../support/carriers.ts'

/*
 * A server that dies loses nothing. Its process is killed at named points and at random moments, while agents keep a
 * ledger of their output. Afterwards every byte, event, commit and container is compared.
 */

const victims: Victim[] = []
afterAll(async () => {
  for (const victim of victims) await victim.remove()
})
const start = async (options?: VictimOptions) => {
  const victim = await Victim.start(options)
  victims.push(victim)
  return victim
}
const courses = Object.keys(pointsOf) as Course[]

/** Kills the server at every point that one bead passes; in the long form, also with one bead for each point. */
async function walk(course: Course): Promise<void> {
  const victim = await start()
  const points = pointsOf[course]
  const plans = [points, ...(isLong && points.length > 1 ? points.map((point) => [point]) : [])]
  const beads = plans.map((_, at) => `c-${at + 1}`)
  await victim.addProject(
    'crash',
    ledgerProject(Object.fromEntries(beads.map((bead) => [bead, agentOf(course, bead)]))),
  )
  await victim.stop()
  let found = nothingLost(victim)
  for (const [at, plan] of plans.entries()) {
    const id = await killedAt(victim, { project: 'crash', bead: beads[at]!, course, points: plan })
    expect(await victim.execution(id)).toMatchObject({ state: endOf[course] })
    await victim.stop()
    found = nothingLost(victim)
    if (found.lost.length > 0) break
  }
  tallyFound('SIGKILL of the server at a named point', victim.kills, found, victim.kills)
  expect(found.lost).toEqual([])
  tell(course, victim, found.bytes)
}

/** The parts of an execution that show whether it ended well. */
const storyOf = ({ id, state, reason, detail, sessions, flags, kept }: ExecutionView) => ({
  id,
  state,
  reason,
  detail,
  sessions: sessions.map(({ kind, outcome, attempt }) => `${kind} ${attempt}: ${outcome}`),
  flags,
  kept,
})

/** Tells people how much was tried. */
const tell = (what: string, victim: Victim, bytes: number) =>
  console.info(
    `${what}: ${victim.kills} kills, ${bytes.toLocaleString('en-US')} bytes of ledgers compared, nothing lost`,
  )

// Side by side: each waits most of the time for its server to start.
describe('a server that is killed', () => {
  test('passes every point in one of the courses', () => {
    // `before-answer` is no point of an execution: requests.test.ts. Points between phases: phases.test.ts
    const points = [...courses.flatMap((course) => pointsOf[course]), 'before-answer', ...pointsOfPhases]
    expect(points.toSorted()).toEqual(crashPoints.toSorted())
  })
  test.concurrent.each(courses)('at a named point while an execution %s continues from there when it is back', walk)

  test.concurrent.each(carriers)(
    `at any moment, with three agents at work over %s, loses no byte and starts nobody twice (seed ${seed})`,
    async (carrier) => {
      const victim = await start({ slots: 4, carrier })
      const plan = { kills: sized(3, 30), seed, livesMs: [100, sized(1500, 6000)] as [number, number], short: true }
      const { wrong, ids } = await killAtRandom(victim, 'random', plan)
      expect(wrong).toEqual([])
      const ends = await Promise.all(ids.map((id) => victim.execution(id)))
      expect(ends.filter(({ state }) => state !== 'COMPLETED').map(storyOf)).toEqual([])
      await victim.stop()
      const found = nothingLost(victim)
      tallyFound(`SIGKILL of the server, over ${carrier}`, victim.kills, found, victim.kills)
      const { lost, bytes } = found
      expect(lost).toEqual([])
      expect(bytes).toBeGreaterThan(0)
      tell(`at any moment, over ${carrier}`, victim, bytes)
    },
  )
})
