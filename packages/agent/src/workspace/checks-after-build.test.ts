import { beforeEach, expect, test } from 'vitest'
import { startKit, type Kit } from '../testing/session-kit.ts'

let kit: Kit
beforeEach(async () => {
  kit = await startKit()
})

test.each([
  [undefined, ['build']],
  [true, ['build', 'test']],
] as const)('after a build that fails the other checks run only if all are to run (%s)', async (all, ran) => {
  const steps = [
    { type: 'build' as const, name: 'build', command: 'exit 3', timeoutMs: 60_000 },
    { type: 'test' as const, name: 'test', command: 'true', timeoutMs: 60_000 },
  ]
  const result = await kit.run({ kind: 'verify', steps, ...(all && { all }) })
  expect(result).toMatchObject({ outcome: 'failed', exitCode: 3 })
  expect(kit.record.of('section').map(({ title }) => title)).toEqual(['checkout', ...ran])
})
