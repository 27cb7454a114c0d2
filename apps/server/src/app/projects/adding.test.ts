import { parseProjectId } from '@beadloom/core/records/ids.ts'
import { expect, test } from 'vitest'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import { Adding, AddingCancelled, type AddingWork } from './adding.ts'

const project = parseProjectId('big')

/** An adding that continues until it is told to end. */
function begun() {
  const adding = new Adding(new HandClock())
  let work: AddingWork | null = null
  let end: (error?: Error) => void = () => {}
  const done = adding.during(project, 'https://example.org/big.git', (its) => {
    work = its
    its.signal.addEventListener('abort', () => end(new Error('git was killed')))
    return new Promise<string>((resolve, reject) => (end = (error) => (error ? reject(error) : resolve('added'))))
  })
  done.catch(() => {})
  return { adding, work: work! as AddingWork, end: () => end(), done }
}

test('the progress is visible until it is over', async () => {
  const { adding, work, end, done } = begun()
  expect(adding.list()).toMatchObject([{ project, doing: 'asking the repository', percent: null, bytes: null }])
  work.watch({ doing: 'receiving objects', percent: 7, bytes: 100 })
  expect(adding.list()).toMatchObject([{ doing: 'receiving objects', percent: 7, bytes: 100 }])
  end()
  expect(await done).toBe('added')
  expect(adding.list()).toEqual([])
})

test('a cancelled adding ends as cancelled, whatever git says then', async () => {
  const { adding, done } = begun()
  expect(adding.cancel(project)).toBe('cancelled')
  await expect(done).rejects.toThrow(AddingCancelled)
  expect(adding.cancel(project)).toBe('unknown')
})

test('an adding that has become a project can no longer be cancelled', async () => {
  const { adding, work, end, done } = begun()
  work.keep()
  expect(adding.cancel(project)).toBe('too late')
  end()
  expect(await done).toBe('added')
})
