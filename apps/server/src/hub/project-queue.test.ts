import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ProjectQueue } from './project-queue.ts'

const never = () => new Promise<never>(() => {})

test('a caller that waits behind a hanging job can leave; a job that has begun sees to itself', async () => {
  const queue = new ProjectQueue()
  const begun = new AbortController()
  const waiting = new AbortController()
  let ran = false
  let hangs = () => {}
  const begins = new Promise<void>((resolve) => (hangs = resolve))
  const first = queue.run('a', () => (hangs(), never()), begun.signal)
  await begins
  const second = queue.run('a', async () => (ran = true), waiting.signal)
  begun.abort(new Error('cancelled'))
  waiting.abort(new Error('cancelled'))
  await expect(second).rejects.toThrow('cancelled')
  expect(ran).toBe(false)
  expect(await Promise.race([first, Promise.resolve('still there')])).toBe('still there')
})

test('a job whose caller left does not run when its turn comes, and the next one does', async () => {
  const queue = new ProjectQueue()
  let release = () => {}
  const first = queue.run('a', () => new Promise<void>((resolve) => (release = resolve)))
  const left = new AbortController()
  const ran: string[] = []
  const second = queue.run('a', async () => void ran.push('second'), left.signal)
  const third = queue.run('a', async () => void ran.push('third'))
  left.abort(new Error('cancelled'))
  await expect(second).rejects.toThrow('cancelled')
  release()
  await Promise.all([first, third])
  expect(ran).toEqual(['third'])
})

test('a caller that was stopped before it came does not wait for its turn', async () => {
  const queue = new ProjectQueue()
  void queue.run('a', never)
  const late = queue.run('a', async () => 'ran', AbortSignal.abort(new Error('cancelled')))
  const outcome = late.catch((error: Error) => error.message)
  expect(await Promise.race([outcome, setImmediate('still waits')])).toBe('cancelled')
})
