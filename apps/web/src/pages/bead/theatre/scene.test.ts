import { describe, expect, test } from 'vitest'
import { sampleSession, sampleStep, sampleView } from '@beadloom/core/testing/sample-views.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import { sceneOf } from './scene.ts'

const id = (number: number) => `ex-0000000001.${number}` as SessionId
const run = sampleView({
  state: 'COMPLETED',
  baseCommit: 'base',
  sessions: [1, 2, 3].map((attempt) => sampleSession({ id: id(attempt), attempt })),
  verifications: [
    sampleStep({ attempt: 1, commit: 'one', passed: false }),
    sampleStep({ attempt: 3, commit: 'three' }),
    sampleStep({ attempt: 3, commit: 'merged', purpose: 'merge' }),
  ],
})
const at = (attempt: number, session?: string) => sceneOf([run], { attempt, session })

describe('a scene', () => {
  test('is an attempt with its session, its neighbours, and its changes since the one before', () => {
    expect(at(3)).toMatchObject({
      place: 3,
      of: 3,
      session: { id: id(3) },
      range: { from: 'one', to: 'three' }, // the second attempt's commit is unknown
      before: { number: 2 },
      after: null,
    })
  })

  test('of the first attempt is compared with the base; without a checked commit there is nothing to compare', () => {
    expect(at(1)?.range).toMatchObject({ from: 'base', to: 'one' })
    expect(at(2)?.range).toBe(null)
  })

  test('is the last one if the address names no existing one', () => {
    expect(at(99)?.place).toBe(3)
    expect(sceneOf([], { attempt: 1, session: undefined })).toBe(null)
    expect(sceneOf([sampleView({})], { attempt: 1, session: undefined })).toBe(null)
  })

  test('is of the execution whose session the address names', () => {
    const newer = sampleView({ sessions: [sampleSession({ id: 'ex-0000000002.1' as SessionId, attempt: 1 })] })
    expect(sceneOf([newer, run], { attempt: 2, session: id(2) })?.of).toBe(3)
    expect(sceneOf([newer, run], { attempt: 2, session: undefined })?.of).toBe(1)
  })
})
