import { expect, test } from 'vitest'
import { SharedWork } from './shared-work.ts'

const never = new AbortController().signal

test('callers of one key share one piece of work and both hear its progress', async () => {
  const work = new SharedWork<string>()
  const gate = Promise.withResolvers<void>()
  let starts = 0
  const heard: string[] = []
  const build = async (tell: (line: string) => void) => {
    starts++
    await gate.promise
    tell('half')
    return 'image'
  }
  const both = ['a', 'b'].map((who) => work.run('key', (line) => heard.push(`${who} ${line}`), never, build))
  gate.resolve()
  expect(await Promise.all(both)).toEqual(['image', 'image'])
  expect(starts).toBe(1)
  expect(heard).toEqual(['a half', 'b half'])
})

test('the work stops when the last caller has left, and the next one starts anew', async () => {
  const work = new SharedWork<string>()
  const stopped = Promise.withResolvers<void>()
  const leaving = [new AbortController(), new AbortController()]
  const callers = leaving.map(({ signal }) =>
    work.run(
      'key',
      () => {},
      signal,
      (_, stop) => {
        stop.addEventListener('abort', () => stopped.resolve())
        return new Promise(() => {})
      },
    ),
  )
  for (const controller of leaving) controller.abort()
  for (const caller of callers) await expect(caller).rejects.toThrow(/stopped/)
  await stopped.promise
  expect(
    await work.run(
      'key',
      () => {},
      never,
      async () => 'anew',
    ),
  ).toBe('anew')
})

test('a failure reaches every caller, and is not kept', async () => {
  const work = new SharedWork<string>()
  const callers = [1, 2].map(() =>
    work.run(
      'key',
      () => {},
      never,
      () => Promise.reject(new Error('no')),
    ),
  )
  for (const caller of callers) await expect(caller).rejects.toThrow('no')
  expect(
    await work.run(
      'key',
      () => {},
      never,
      async () => 'yes',
    ),
  ).toBe('yes')
})
