import { execFileSync } from 'node:child_process'
import { afterEach, describe, expect, test } from 'vitest'
import type { KeptContainer } from '@beadloom/core/api/executions/container-api.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import { ledger, ledgerProject } from '../crash/ledger-project.ts'
import { nothingLost } from '../crash/nothing-lost.ts'
import { sized } from '../crash/size.ts'
import { instanceOf, stored } from '../crash/stored.ts'
import { tallyFound } from '../crash/tally.ts'
import { Victim, type VictimOptions } from '../crash/victim.ts'
import { beadloom, startedServer } from '../support/command-line.ts'

/* Strangers: unknown containers, other servers on the same engine, others who want the same bead. */

const victims: Victim[] = []
const made: string[] = []
afterEach(async () => {
  for (const victim of victims.splice(0)) await victim.remove()
  const left = made.splice(0).filter(isThere)
  if (left.length > 0) docker('rm', '-f', ...left)
})
const start = async (options?: VictimOptions) => {
  const victim = await Victim.start(options)
  victims.push(victim)
  return victim
}
const docker = (...args: string[]): string => execFileSync('docker', args, { encoding: 'utf8' }).trim()
const image = () => docker('images', '-q', 'beadloom/runtime').split('\n')[0] ?? ''

/**
 * On a busy machine runc may give up before the kernel has frozen all processes ("unable to freeze"): then asks again.
 */
function pause(id: string, asks = 5): void {
  try {
    docker('pause', id)
  } catch (error) {
    if (asks <= 1) throw error
    pause(id, asks - 1)
  }
}

type State = 'created' | 'exited' | 'running' | 'paused'

function container(labels: Record<string, string>, state: State): string {
  const given = Object.entries(labels).flatMap(([name, value]) => ['--label', `beadloom.${name}=${value}`])
  const name = `beadloom-stranger-${made.length}-${process.pid}`
  const id = docker(
    'create',
    '--name',
    name,
    ...given,
    '--network',
    'none',
    '--entrypoint',
    '/bin/sh',
    image(),
    '-c',
    'sleep 600',
  )
  made.push(id)
  if (state !== 'created') docker('start', id)
  if (state === 'paused') pause(id)
  if (state === 'exited') docker('kill', id)
  return id
}
const isThere = (id: string): boolean => docker('ps', '-aq', '--no-trunc').includes(id)

test("a starting server removes its instance's unknown containers in every state, keeps those of agents, and never touches others", async () => {
  const victim = await start()
  await victim.addProject('warm', ledgerProject({ 'w-1': ledger('w-1', 'steady', 1) }))
  await victim.ended(await victim.queue('warm', 'w-1')) // there is an image now
  const instance = instanceOf(victim.data)
  await victim.stop()
  const states: State[] = ['created', 'exited', 'running', 'paused']
  const orphan = { instance, execution: 'ex-0000000000', kind: 'verify' }
  const ours = states.map((state) => container(orphan, state))
  const foreign = states.map((state) => container({ ...orphan, instance: 'in-000000000000' }, state))
  const unlabelled = states.map((state) => container({}, state))
  const known = stored(victim.data).executions[0]!.id
  const over = container({ ...orphan, execution: known }, 'running')
  const unsaved = states.map((state) => container({ ...orphan, kind: 'work' }, state))

  await victim.again()
  await expect.poll(() => [...ours, over].filter(isThere), { timeout: 60_000 }).toEqual([])
  expect([...foreign, ...unlabelled].filter((id) => !isThere(id))).toEqual([])
  const kept = async () => (await victim.api<{ items: KeptContainer[] }>('GET', '/api/containers')).items
  await expect
    .poll(async () => (await kept()).filter(({ tries }) => tries > 0), { timeout: 60_000 })
    .toHaveLength(unsaved.length)
  expect(unsaved.map((id) => docker('inspect', '--format', '{{.State.Running}}', id))).toEqual(
    unsaved.map(() => 'false'),
  )
  for (const { name } of await kept()) await victim.api('DELETE', `/api/containers/${name}`)
  expect(unsaved.filter(isThere)).toEqual([])
})

describe('two servers', () => {
  test('on one engine leave each other alone, also when one of them is killed and starts again', async () => {
    const both = [await start(), await start()]
    const ids: string[] = []
    for (const victim of both) {
      await victim.addProject(
        'two',
        ledgerProject({ 't-1': ledger('t-1', 'steady', 300), 't-2': ledger('t-2', 'steady', 60) }),
      )
      ids.push(await victim.queue('two', 't-1'))
      await victim.queue('two', 't-2')
    }
    await both[0]!.until(ids[0]!, () => both[0]!.watch.agents(ids[0]!).length > 0)
    await both[0]!.kill()
    await both[0]!.again()
    for (const victim of both) {
      for (const { id } of stored(victim.data).executions) await victim.ended(id)
      await victim.stop()
      const found = nothingLost(victim)
      const { lost, executions } = found
      if (victim.kills > 0) tallyFound('SIGKILL of the server beside another one', victim.kills, found, victim.kills)
      expect(lost).toEqual([])
      expect(executions.map(({ state }) => state)).toEqual(['COMPLETED', 'COMPLETED'])
    }
  })

  test('cannot share a data folder: the second is refused in a sentence, and may start as soon as the first was killed', async () => {
    const victim = await start()
    const second = await beadloom(['start', '--data', victim.data, '--port', '0', '--no-demo'])
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('another Beadloom server uses') })
    await victim.kill()
    const { line } = await startedServer(victim.data)
    line.child.kill('SIGTERM')
    await line.ended
    await victim.again()
  })
})

test(`one bead that eight ask for at once has one execution, ${sized(200, 1000)} times`, async () => {
  const victim = await start()
  await victim.addProject('race', ledgerProject({ 'r-1': ledger('r-1', 'steady', 1) }))
  await victim.api('POST', '/api/projects/race/pause') // nothing starts: this tests the queue
  const answers = { taken: 0, refused: 0 }
  for (let round = 0; round < sized(200, 1000); round++) {
    const asked = await Promise.all(
      Array.from({ length: 8 }, () =>
        victim.queue('race', 'r-1').catch((error: unknown) => {
          if (!/answered 409/.test(String(error))) throw error
          return null
        }),
      ),
    )
    const ids = asked.filter((id) => id !== null)
    answers.taken += ids.length
    answers.refused += asked.length - ids.length
    for (const id of ids) await victim.api('POST', `/api/executions/${id}/cancel`)
  }
  expect(answers).toEqual({ taken: sized(200, 1000), refused: 7 * sized(200, 1000) })
  const { executions } = stored(victim.data)
  expect(executions.length).toBe(sized(200, 1000))
  expect(executions.every(({ state }) => isTerminal(state))).toBe(true)
})
