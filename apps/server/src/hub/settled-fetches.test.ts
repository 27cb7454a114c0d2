import { parseProjectId, type ProjectId } from '@beadloom/core/records/ids.ts'
import { expect, test } from 'vitest'
import { HandClock } from '../ports/testing/hand-clock.ts'
import { SettledFetches } from './settled-fetches.ts'

const id = parseProjectId('demo')
const project = (source: string) => ({ id, source, baseBranch: null })

function kit() {
  const clock = new HandClock()
  const fetched: ProjectId[] = []
  const settled = new SettledFetches(clock, async (one) => void fetched.push(one.id))
  const advance = async (ms: number) => {
    clock.advance(ms)
    await new Promise(setImmediate)
  }
  return { settled, fetched, advance }
}

test('after our push a repository on this machine is fetched once, as soon as its files have settled', async () => {
  const { settled, fetched, advance } = kit()
  settled.pushed(project('/srv/demo.git'))
  await advance(3_000)
  expect(fetched).toEqual([])
  settled.pushed(project('/srv/demo.git'))
  await advance(3_000)
  expect(fetched).toEqual([])
  await advance(200)
  expect(fetched).toEqual([id])
  await advance(60_000)
  expect(fetched).toEqual([id])
})

test('nothing is fetched from a remote elsewhere, for a removed project, or after the end', async () => {
  const { settled, fetched, advance } = kit()
  settled.pushed(project('https://example.org/demo.git'))
  settled.pushed(project('/srv/demo.git'))
  settled.forget(id)
  await advance(10_000)
  settled.pushed(project('file:///srv/demo.git'))
  settled.close()
  settled.pushed(project('/srv/demo.git'))
  await advance(10_000)
  expect(fetched).toEqual([])
})
