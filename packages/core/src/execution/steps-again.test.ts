import { describe, expect, test } from 'vitest'
import type { Verification } from '../records/verification.ts'
import { sampleStep } from '../testing/sample-views.ts'
import { buildsBefore, redGreenFact, redGreenSteps } from './steps-again.ts'

const row = (patch: Partial<Verification>): Verification =>
  sampleStep({ attempt: 1, run: 1, commit: 'c1', passed: true, exitCode: 0, ...patch })
const build = row({ type: 'build', name: 'build', command: 'npm run build', tool: 'tsc' })
const unit = row({ type: 'test', name: 'test', command: 'npx vitest run', tool: 'vitest', step: 2 })
const asking = { files: ['src/a.test.ts'], scripts: {}, testTimeoutMs: 600_000 }
const steps = (rows: Verification[], more: Partial<typeof asking> = {}) =>
  redGreenSteps(rows, { attempt: 1, commit: 'c1' }, { ...asking, ...more })

describe('new tests without the change', () => {
  test('run alone, after the builds that ran before them', () => {
    const found = steps([build, unit])
    expect(found?.map(({ name }) => name)).toEqual(['build', 'test'])
    expect(found?.[0]?.command).toBe('npm run build')
    expect(found?.[1]?.command).toContain('src/a.test.ts')
  })

  test('share five minutes with their builds, and never get more than a test has', () => {
    expect(steps([unit])?.[0]?.timeoutMs).toBe(300_000)
    expect(steps([build, unit])?.map(({ timeoutMs }) => timeoutMs)).toEqual([150_000, 150_000])
    expect(steps([build, unit], { testTimeoutMs: 1000 })?.map(({ timeoutMs }) => timeoutMs)).toEqual([1000, 1000])
  })

  test('run by the first test command that can choose', () => {
    const shell = row({ type: 'test', name: 'shell', command: './test.sh', tool: 'generic' })
    expect(steps([shell, unit])?.map(({ name }) => name)).toEqual(['test'])
    expect(steps([shell])).toBeNull()
  })

  test('run only by commands that passed on this very commit', () => {
    for (const other of [
      { attempt: 2 },
      { commit: 'c2' },
      { passed: false },
      { command: '' },
      { type: 'lint' as const },
    ])
      expect(steps([{ ...unit, ...other }])).toBeNull()
  })
})

test('a test needs the builds of its own run that passed before it by themselves', () => {
  const rows = [
    build,
    row({ ...build, name: 'red', passed: false }),
    row({ ...build, name: 'red on the base', onBase: true }),
    row({ ...build, name: 'other run', run: 2 }),
    row({ ...build, name: 'lint', type: 'lint' }),
    unit,
    row({ ...build, name: 'later' }),
  ]
  expect(buildsBefore(rows, unit)).toEqual([build])
})

describe('the fact about new tests', () => {
  const end = (type: 'build' | 'test', exitCode: number | null, failures: number | null = null, collected = 3) => ({
    step: { type },
    exitCode,
    digest: { failures, collected },
  })

  test('comes from the first check that failed', () => {
    expect(redGreenFact([end('build', 0), end('test', 1, 1), end('test', 0)], '', 3, 1).is).toBe('partly')
    expect(redGreenFact([end('build', 0), end('test', null)], '', 3, 1).is).toBe('unknown')
  })

  test('comes from the last one if none failed', () => {
    expect(redGreenFact([end('build', 0), end('test', 0)], '', 3, 1).is).toBe('green')
  })

  test('is red if the build fails without the change, whatever its output counts', () => {
    expect(redGreenFact([end('build', 1, 1)], '', 3, 1).is).toBe('red')
  })

  test('is unknown if nothing ran, with the end of the session', () => {
    const fact = redGreenFact([], `its disk was full${'!'.repeat(300)}`, 3, 1)
    expect(fact).toMatchObject({ is: 'unknown', text: expect.stringContaining('its disk was full') })
    expect(fact.text.length).toBeLessThan(300)
  })
})
