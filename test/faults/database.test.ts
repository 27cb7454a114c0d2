import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import { ledger, ledgerProject } from '../crash/ledger-project.ts'
import { nothingLost } from '../crash/nothing-lost.ts'
import { sized } from '../crash/size.ts'
import { tally, tallyFound } from '../crash/tally.ts'
import { Victim } from '../crash/victim.ts'
import { lockDatabase } from '../support/lock-holder.ts'

/* Another program holds the database's lock, again and again, while three agents print. */

let victim: Victim | null = null
let letGo = async () => {}
afterEach(async () => {
  await letGo()
  await victim?.remove()
  victim = null
})

const LINES = sized(1_000, 12_000)
const LOCKS = sized(3, 40)
/** Answers to wait for while the server is locked out: the more, the longer. */
const LOOKS = sized(50, 500)

test(`over ${LOCKS} locks, every second one with a kill of the server under it, no agent ends and no byte is lost`, async () => {
  victim = await Victim.start()
  const beads = ['d-1', 'd-2', 'd-3']
  await victim.addProject('d', ledgerProject(Object.fromEntries(beads.map((id) => [id, ledger(id, 'steady', LINES)]))))
  const ids: string[] = []
  for (const bead of beads) ids.push(await victim.queue('d', bead))
  for (const id of ids)
    await victim.until(id, ({ sessions }) => sessions.some(({ kind, state }) => kind === 'work' && state === 'running'))

  for (let lock = 0; lock < LOCKS; lock++) {
    letGo = await lockDatabase(join(victim.data, 'beadloom.db'), lock % 3 === 0 ? 'EXCLUSIVE' : 'IMMEDIATE')
    for (let look = 0; look < LOOKS;) {
      const { database } = await victim.api<ServerStatus>('GET', '/api/status')
      if (database?.kind === 'busy') look += 1
    }
    const kill = lock % 2 === 1
    if (kill) await victim.kill()
    await letGo()
    if (kill) await victim.again()
  }
  for (const id of ids) await victim.over(id)
  await victim.stop()
  const found = nothingLost(victim)
  const { lost, bytes, executions } = found
  tallyFound("a lock on the server's database", LOCKS, found)
  tally({ fault: 'SIGKILL of the server', times: victim.kills, sigkills: victim.kills })
  console.info(`${LOCKS} locks, ${victim.kills} kills, ${bytes.toLocaleString('en-US')} bytes compared`)
  expect(lost).toEqual([])
  expect(executions.map(({ state }) => state)).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED'])
})
