import { expect, test } from 'vitest'
import { EngineError } from '../../ports/engine.ts'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import { readDead } from './read-dead.ts'

const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })

/** The result if every look at the disk fails with this error, and the reader may leave meanwhile. */
async function read(error: Error, leaves: boolean): Promise<unknown> {
  const leaving = new AbortController()
  const archive = async () => {
    if (leaves) leaving.abort()
    throw error
  }
  return readDead({ archive, folder: '/nowhere', clock: new HandClock(), leave: leaving.signal })
}

test.each([true, false])(
  'a container that is removed while its disk is read is no error (left: %s)',
  async (leaves) => {
    expect(await read(new EngineError('refused', 'the container x is gone'), leaves)).toBeNull()
  },
)

const gone = Object.assign(new Error('no such file or directory'), { code: 'ENOENT' })

test.each([new EngineError('unreachable', 'Docker does not answer'), full, gone])(
  'a passing trouble, or a removed copy, does not matter once nobody needs it: %s',
  async (error) => {
    expect(await read(error, true)).toBeNull()
  },
)

test.each([true, false])('a bug of ours is reported (left: %s)', async (leaves) => {
  await expect(read(new TypeError('undefined is not a function'), leaves)).rejects.toThrow(TypeError)
})
