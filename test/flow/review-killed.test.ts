// @suite flow-long
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import { beadloom, startedServer } from '../support/command-line.ts'
import { issues, makeRemote } from '../support/repository.ts'
import { answer, issue, reviewedProject } from '../support/reviewer.ts'
import { World } from '../support/world.ts'

const greet = (id: string) => ({ id, title: 'Greet' })

test('a server that is killed between the verdict and the beads files them once when it is back', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bl-killed-'))
  const data = join(folder, 'killed')
  const remote = makeRemote(join(folder, 'killed.git'), {
    ...reviewedProject({
      reviewer: `cat > /dev/null\ncat <<'END'\n${answer([issue('It greets nobody')])}\nEND\n`,
      bead: 'ki-1',
    }),
    '.beads/issues.jsonl': issues(greet('ki-1')),
  })
  // The first end is the work's.
  const { line } = await startedServer(data, [], { env: { CRASH_AT: 'after-end:2' } })
  const bl = (...args: string[]) => beadloom([...args, '--data', data, '--json'])
  expect((await bl('project', 'add', remote, '--id', 'killed')).code).toBe(0)
  expect((await bl('run', 'ki-1', '--wait')).code).toBe(0)
  const asked = JSON.parse((await bl('review', 'ki-1')).stdout) as ReviewView
  await line.ended

  const world = await World.start({ data })
  await world.ended(asked.id)
  expect(await world.get<ReviewView>(`/api/reviews/${asked.id}`)).toMatchObject({ issues: [{ filed: 'new' }] })
  expect((await world.get<{ items: unknown[] }>('/api/projects/killed/beads?limit=100')).items).toHaveLength(2)
  await world.stop()
  rmSync(folder, { recursive: true, force: true })
})
