import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { containerFacts } from '../crash/container-watch.ts'
import { ledger, ledgerProject } from '../crash/ledger-project.ts'
import { nothingLost } from '../crash/nothing-lost.ts'
import { PrivateDocker } from '../crash/private-docker.ts'
import { isLong } from '../crash/size.ts'
import { logSoFar, stored } from '../crash/stored.ts'
import { tally, tallyFound } from '../crash/tally.ts'
import { Victim } from '../crash/victim.ts'
import { carriers, type CarrierKind } from '../support/carriers.ts'

/*
 * The engine itself is stopped, killed and started again under running agents. It is a separate dockerd, which takes
 * minutes. test/flow/docker-away.test.ts is the short form: it only breaks the connection.
 */

const canHave = process.getuid?.() === 0 && existsSync('/usr/bin/unshare') && existsSync('/usr/sbin/dockerd')
const signals = ['SIGTERM', 'SIGKILL'] as const
const DOWN_MS = 5_000

let docker: PrivateDocker | null = null
let victim: Victim | null = null
afterEach(async () => {
  await victim?.remove()
  await docker?.remove()
  victim = docker = null
})
const engine = (...args: string[]): string =>
  execFileSync('docker', ['-H', docker!.host, ...args], { encoding: 'utf8' }).trim()

async function begin(carrier: CarrierKind, liveRestore: boolean, beads: Record<string, string>): Promise<Victim> {
  docker = await PrivateDocker.start({ liveRestore })
  victim = await Victim.start({ env: { DOCKER_HOST: docker.host }, carrier })
  await victim.addProject('engine', ledgerProject(beads))
  return victim
}

/** The output so far of the agents of the server's only execution. */
function logged(server: Victim): string {
  const execution = stored(server.data).executions[0]!
  const session = execution.sessions.findLast(({ kind, state }) => kind === 'work' && state === 'running')
  return session ? logSoFar(server.data, execution, session.number) : ''
}

describe.runIf(isLong && canHave)('a Docker engine that goes away and comes back', () => {
  test.each(carriers)(
    'with live-restore loses no byte and no process over %s, stopped or killed, and says meanwhile that it is away',
    async (carrier) => {
      const beads = ['e-1', 'e-2']
      const server = await begin(carrier, true, Object.fromEntries(beads.map((bead) => [bead, ledger(bead, 'steady')])))
      const ids = await Promise.all(beads.map((bead) => server.queue('engine', bead)))
      for (const id of ids)
        await server.until(id, ({ sessions }) =>
          sessions.some(({ kind, state }) => kind === 'work' && state === 'running'),
        )
      const facts = () =>
        engine('ps', '-q', '--no-trunc')
          .split('\n')
          .toSorted()
          .map((id) => containerFacts(id, docker!.host))
      const before = facts()
      expect(before).toHaveLength(2)
      for (const signal of signals) {
        await docker!.kill(signal)
        await delay(DOWN_MS)
        expect(await server.api('GET', '/api/status')).toMatchObject({ docker: { ok: false } })
        await docker!.begin()
        await delay(DOWN_MS)
        expect(facts()).toEqual(before)
      }
      for (const { id } of before) engine('exec', id, 'touch', '/tmp/ledger-end')
      for (const id of ids) await server.ended(id)
      await server.stop()
      const found = nothingLost(server)
      tallyFound(`SIGTERM of dockerd, with live-restore, over ${carrier}`, 1, found)
      tally({ fault: `SIGKILL of dockerd, with live-restore, over ${carrier}`, times: 1, sigkills: 1 })
      const { lost, executions } = found
      expect(executions.map(({ state }) => state)).toEqual(['COMPLETED', 'COMPLETED'])
      expect(lost).toEqual([])
    },
  )

  test.each(signals.flatMap((signal) => carriers.map((carrier) => [signal, carrier] as const)))(
    'without live-restore takes its containers with it (%s, over %s): the run is lost, not failed, and made once more',
    async (signal, carrier) => {
      const agent = `if [ -e .git/ran ]; then ${ledger('e-1', 'steady', 60)}; else touch .git/ran; echo ready; exec sleep 600; fi`
      const server = await begin(carrier, false, { 'e-1': agent })
      const id = await server.queue('engine', 'e-1')
      await server.until(id, () => logged(server).includes('› ready'))
      await docker!.kill(signal)
      await delay(DOWN_MS)
      await docker!.begin()
      await server.ended(id)
      const view = await server.execution(id)
      // The retry policy does not matter: only Docker is to blame.
      expect(view).toMatchObject({ state: 'COMPLETED', attempt: 1, retryCount: 0, retryAttempt: 0 })
      expect(view.sessions.filter(({ kind }) => kind === 'work').map(({ outcome }) => outcome)).toEqual([
        'infra_error',
        'success',
      ])
      await server.stop()
      const found = nothingLost(server)
      tallyFound(`${signal} of dockerd, without live-restore, over ${carrier}`, 1, found, signal === 'SIGKILL' ? 1 : 0)
      expect(found.lost).toEqual([])
    },
  )
})
