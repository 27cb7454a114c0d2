import { expect, test } from 'vitest'
import { patiently } from './patiently.ts'

const never = new AbortController().signal
const failing = (code: string) => Object.assign(new Error(code), { code })
const clock = { sleep: async () => {} }

test.each(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN'])('%s is waited for', async (code) => {
  let tries = 0
  const work = async () => {
    if (++tries < 4) throw failing(code)
    return 'done'
  }
  expect(await patiently(clock, never, work)).toBe('done')
  expect(tries).toBe(4)
})

test('a lasting error is thrown at once, and every error when nobody waits any more', async () => {
  let tries = 0
  const work = (code: string) => async () => {
    tries++
    throw failing(code)
  }
  await expect(patiently(clock, never, work('ENOENT'))).rejects.toThrow('ENOENT')
  await expect(patiently(clock, AbortSignal.abort(), work('ENOSPC'))).rejects.toThrow('ENOSPC')
  expect(tries).toBe(2)
})
