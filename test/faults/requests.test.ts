import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { parseBeadId } from '@beadloom/core/records/ids.ts'
import { sized } from '../crash/size.ts'
import { tally } from '../crash/tally.ts'
import { Victim } from '../crash/victim.ts'
import { issues, makeRemote } from '../support/repository.ts'

/* A server dies after it has done what a client asked for, but before its answer; the client asks again. */

const victims: Victim[] = []
afterAll(async () => {
  for (const victim of victims) await victim.remove()
})

test("a request that is repeated to the next server acts once and gets the first one's result", async () => {
  const victim = await Victim.start()
  victims.push(victim)
  const source = makeRemote(join(victim.folder, 'remotes', 'p.git'), {
    '.beads/issues.jsonl': issues({ id: 'p-1', title: 'One' }),
  })

  /** Sends the request until it is answered. */
  async function sent<T>(path: string, key: string, body: object): Promise<T> {
    await victim.stop()
    await victim.again({ CRASH_AT: 'before-answer' })
    const lost = await victim.keyed(path, key, body).then(
      () => false,
      () => true,
    )
    expect(lost).toBe(true)
    await victim.crashed()
    await victim.again()
    const answer = await victim.keyed<T>(path, key, body)
    expect(await victim.keyed<T>(path, key, body)).toEqual(answer)
    tally({ fault: 'SIGKILL of the server before it answers a request', times: 1, sigkills: 1 })
    return answer
  }

  const project = await sent<ProjectView>('/api/projects', 'add', { source, id: 'p' })
  expect(project.id).toBe('p')
  await victim.api('POST', '/api/projects/p/pause', {})
  for (let round = 1; round <= sized(1, 20); round++) {
    const made = await sent<BeadView>('/api/projects/p/beads', `bead-${round}`, { title: `Bead ${round}` })
    const { items: beads } = await victim.api<Page<BeadView>>('GET', '/api/projects/p/beads?limit=100')
    expect(beads.filter(({ title }) => title === `Bead ${round}`).map(({ id }) => id)).toEqual([made.id])

    const queued = await sent<ExecutionView>(`/api/projects/p/beads/${made.id}/executions`, `queue-${round}`, {})
    const ofBead = `/api/executions?project=p&bead=${parseBeadId(made.id)}`
    const { items: executions } = await victim.api<Page<ExecutionView>>('GET', ofBead)
    expect(executions.map(({ id }) => id)).toEqual([queued.id])

    const cancelled = await sent<ExecutionView>(`/api/executions/${queued.id}/cancel`, `cancel-${round}`, {})
    expect(cancelled.id).toBe(queued.id)
    expect(await victim.execution(queued.id)).toMatchObject({ state: 'CANCELLED' })
  }
})
