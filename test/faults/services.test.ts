import { afterAll, beforeAll, expect, test } from 'vitest'
import { ledger, ledgerProject } from '../crash/ledger-project.ts'
import { nothingLost } from '../crash/nothing-lost.ts'
import { sized } from '../crash/size.ts'
import { tallyFound } from '../crash/tally.ts'
import { Victim } from '../crash/victim.ts'
import { buildImage, ownBase, removeImage } from '../support/service-images.ts'

/* A server dies while services run beside agents and checks. The next one adopts or removes them; none stays. */

const IMAGE = 'beadloom-tests/greeter:faults'
const PORT = 7008
const NODE = '/opt/beadloom/bin/node'
const greeter = `require('net').createServer((to) => to.end('hello')).listen(${PORT}, () => console.log('greeter listens'))`
const ask = (node: string) =>
  `${node} -e "require('net').connect(${PORT}, 'greeter').on('error', () => process.exit(1)).on('data', () => process.exit(0))"`

const victims: Victim[] = []
beforeAll(() =>
  buildImage(IMAGE, `FROM ${ownBase()}\nHEALTHCHECK CMD ${ask('node').replace("'greeter'", "'127.0.0.1'")}\n`),
)
afterAll(async () => {
  for (const victim of victims) await victim.remove()
  removeImage(IMAGE)
})

/** Kills the server once while a session of this kind runs. Other sessions may have begun or not. */
async function killedDuring(victim: Victim, id: string, kind: 'work' | 'verify'): Promise<void> {
  await victim.until(id, ({ sessions }) => sessions.some((one) => one.kind === kind && one.state === 'running'))
  await victim.kill()
  await victim.again()
}

test('at every point of an execution with services, and loses none of its output', async () => {
  const victim = await Victim.start({ slots: 2, config: { images: [IMAGE] } })
  victims.push(victim)
  const beads = Array.from({ length: sized(1, 4) }, (_, at) => `c-${at + 1}`)
  const project = ledgerProject(
    Object.fromEntries(beads.map((bead) => [bead, `${ask(NODE)} && ${ledger(bead, 'steady', 200)} && ${ask(NODE)}`])),
    {
      services: { greeter: { image: IMAGE, command: ['node', '-e', greeter] } },
      verify: [{ type: 'test', command: `sleep 2; ${ask(NODE)}` }],
    },
  )
  await victim.addProject('served', project)
  for (const bead of beads) {
    const id = await victim.queue('served', bead)
    // Services are the first containers that are created after the sandbox's own.
    await victim.stop()
    await victim.again({ CRASH_AT: 'after-create' })
    await victim.crashed()
    await victim.again()
    await killedDuring(victim, id, 'work')
    await killedDuring(victim, id, 'verify')
    await victim.ended(id)
    const ended = await victim.execution(id)
    expect(ended, ended.detail).toMatchObject({ state: 'COMPLETED' })
    expect(ended.sessions.some(({ kind, service }) => kind === 'service' && service === 'greeter')).toBe(true)
  }
  await victim.stop()
  const found = nothingLost(victim)
  tallyFound('SIGKILL of the server beside services', victim.kills, found, victim.kills)
  expect(found.lost).toEqual([])
})

test('an execution that is cancelled by the next server leaves none of its services', async () => {
  const victim = await Victim.start({ slots: 2, config: { images: [IMAGE] } })
  victims.push(victim)
  const project = ledgerProject(
    { 'c-1': ledger('c-1', 'steady') },
    { services: { greeter: { image: IMAGE, command: ['node', '-e', greeter] } } },
  )
  await victim.addProject('served', project)
  const id = await victim.queue('served', 'c-1')
  await killedDuring(victim, id, 'work')
  await victim.api('POST', `/api/executions/${id}/cancel`)
  await victim.ended(id)
  expect(await victim.execution(id)).toMatchObject({ state: 'CANCELLED' })
  await victim.stop()
  expect(nothingLost(victim).lost).toEqual([])
})
